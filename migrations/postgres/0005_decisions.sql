-- The steps in which a verdict was given, by time: what the console lists as decisions.
CREATE INDEX step_judged ON step (at, session, version) WHERE position('"event":"judged"' in events) > 0;
