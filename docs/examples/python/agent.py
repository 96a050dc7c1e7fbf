"""An agent that is asked twice for the same two appointments, in other words the second time.

REPLYGATE_URL=http://127.0.0.1:8420 REPLYGATE_TOKEN=rgt_… python3 agent.py
"""

import json
import os

from replygate import CertainlyFailed, Outcome, Replygate

gate = Replygate(os.environ["REPLYGATE_URL"], os.environ["REPLYGATE_TOKEN"])
contact = os.environ.get("CONTACT", "ana")
calendar: list = []


def create_event(arguments, key):
    """The tool itself: a calendar, with the key under which it knows a repeated call."""
    if not arguments.get("title"):
        raise CertainlyFailed("title_missing")
    calendar.append({"key": key, **arguments})
    return {"event": len(calendar)}


def call(arguments) -> Outcome:
    return gate.guarded("calendar.create_event", arguments, create_event, channel="demo", contact=contact)


def main():
    hours = [
        {"title": "Coaching", "start": "2026-12-01T15:00:00-03:00"},
        {"title": "Coaching", "start": "2026-12-03T15:00:00-03:00"},
    ]
    first = [call(hour) for hour in hours]
    # "agéndame las horas": the model calls again, adds a field, and spells the rest its own way.
    again = [
        call({"start": "2026-12-01T18:00:00Z", "title": "coaching", "end_datetime": "2026-12-01T19:00:00Z"}),
        call({"start": "2026-12-03T18:00:00Z", "title": "COACHING ", "end_datetime": "2026-12-03T19:00:00Z"}),
    ]
    # A failure that is certain frees the call at once.
    try:
        call({"title": "", "start": "2026-12-05T15:00:00-03:00"})
        raise SystemExit("a nameless event was created")
    except CertainlyFailed:
        pass
    told = {
        "events": len(calendar),
        "replayed": [outcome.replayed for outcome in first + again],
        "results": [outcome.result for outcome in first + again],
        "notes": [outcome.note for outcome in again],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
