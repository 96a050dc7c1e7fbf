//! Stories of one session, told through `decide` and `evolve`. See `decide_stories/` for one file per subject.

#[path = "decide_stories/arrivals.rs"]
mod arrivals;
#[path = "decide_stories/commands.rs"]
mod commands;
#[path = "decide_stories/dispatch.rs"]
mod dispatch;
#[path = "decide_stories/double_texting.rs"]
mod double_texting;
#[path = "decide_stories/failures.rs"]
mod failures;
#[path = "decide_stories/groups.rs"]
mod groups;
#[path = "decide_stories/late_verdicts.rs"]
mod late_verdicts;
#[path = "decide_stories/locks.rs"]
mod locks;
#[path = "decide_stories/operators.rs"]
mod operators;
#[path = "decide_stories/people.rs"]
mod people;
#[path = "decide_stories/stage.rs"]
mod stage;
#[path = "decide_stories/time.rs"]
mod time;
#[path = "decide_stories/verdicts.rs"]
mod verdicts;
