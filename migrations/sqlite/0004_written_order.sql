-- A conversation is read in the order in which it was written, by the channel's time.
DROP INDEX message_session;
CREATE INDEX message_session ON message (session, at, id);
