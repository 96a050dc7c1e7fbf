// An agent that is asked twice for the same two appointments, in other words the second time.
//
// REPLYGATE_URL=http://127.0.0.1:8420 REPLYGATE_TOKEN=rgt_… node agent.ts

import { CertainlyFailed, Replygate, type Arguments } from "./replygate.ts";

const { REPLYGATE_URL = "", REPLYGATE_TOKEN = "", CONTACT = "rui" } = process.env;
const gate = new Replygate(REPLYGATE_URL, REPLYGATE_TOKEN);
const calendar: Arguments[] = [];

// The tool itself: a calendar, with the key under which it knows a repeated call.
function createEvent(args: Arguments, key?: string) {
  if (!args.title) throw new CertainlyFailed("title_missing");
  calendar.push({ key, ...args });
  return { event: calendar.length };
}

const call = (args: Arguments) =>
  gate.guarded({ tool: "calendar.create_event", arguments: args, channel: "demo", contact: CONTACT }, createEvent);

const first = [
  await call({ title: "Coaching", start: "2026-12-01T15:00:00-03:00" }),
  await call({ title: "Coaching", start: "2026-12-03T15:00:00-03:00" }),
];
// "agéndame las horas": the model calls again, adds a field, and spells the rest its own way.
const again = [
  await call({ start: "2026-12-01T18:00:00Z", title: "coaching", end_datetime: "2026-12-01T19:00:00Z" }),
  await call({ start: "2026-12-03T18:00:00Z", title: "COACHING ", end_datetime: "2026-12-03T19:00:00Z" }),
];
// A failure that is certain frees the call at once.
const nameless = await call({ title: "", start: "2026-12-05T15:00:00-03:00" }).catch((error: unknown) => error);
if (!(nameless instanceof CertainlyFailed)) throw new Error("a nameless event was created");

console.log(
  JSON.stringify({
    events: calendar.length,
    replayed: [...first, ...again].map((outcome) => outcome.replayed),
    results: [...first, ...again].map((outcome) => outcome.result),
    notes: again.map((outcome) => outcome.note ?? null),
  }),
);
