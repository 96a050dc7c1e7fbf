//! Lists: filtered, ordered, paged by key.

use replygate_gate::{Command, MessageId, ReplyId, ReplyStatus, SessionId};
use replygate_ports::store::HistoryEntry;
use replygate_ports::views::{
    ChannelFigures, Line, MessageQuery, MessageView, ReplyQuery, ReplyView, SessionQuery,
    SessionSummary,
};

use crate::contract::ViewsHarness;
use crate::contract::stage::{Stage, accepted, direct, key, silence};

fn contacts(page: &[SessionSummary]) -> Vec<&str> {
    page.iter()
        .map(|summary| summary.stored.key.contact.as_str())
        .collect()
}

fn texts(page: &[MessageView]) -> Vec<&str> {
    page.iter().map(|view| view.text.as_str()).collect()
}

fn ids(page: &[ReplyView]) -> Vec<ReplyId> {
    page.iter().map(|view| view.id).collect()
}

pub async fn sessions_are_listed_newest_activity_first<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    for contact in ["a", "b", "c", "d", "e"] {
        stage.arrive(&direct(contact), "hello").await;
        stage.later(10);
    }
    stage.arrive(&direct("b"), "again").await;

    let mut query = SessionQuery {
        limit: 2,
        ..SessionQuery::default()
    };
    let mut seen = Vec::new();
    loop {
        let page = harness.views().sessions(&query).await.unwrap();
        let Some(last) = page.last() else { break };
        assert!(page.len() <= 2);
        query.after = Some((last.last_activity, last.id));
        seen.extend(contacts(&page).into_iter().map(str::to_owned));
        // What happens meanwhile comes in front and moves no page.
        stage.later(10);
        stage
            .arrive(&direct(&format!("new {}", seen.len())), "hello")
            .await;
    }
    assert_eq!(seen, ["b", "e", "d", "c", "a"]);
}

pub async fn sessions_are_filtered<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    for place in [
        key("shop", "c", "Ana Maria"),
        key("zoo", "c", "ana"),
        key("shop", "d", "Rui_100%"),
    ] {
        stage.later(10);
        stage.arrive(&place, "hello").await;
    }
    let ask = async |query: SessionQuery| {
        let page = harness
            .views()
            .sessions(&SessionQuery {
                limit: 100,
                ..query
            })
            .await
            .unwrap();
        contacts(&page)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let channel = |channel: &str| SessionQuery {
        channel: Some(channel.to_owned()),
        ..SessionQuery::default()
    };
    let contact = |contact: &str| SessionQuery {
        contact: Some(contact.to_owned()),
        ..SessionQuery::default()
    };

    assert_eq!(ask(channel("shop")).await, ["Rui_100%", "Ana Maria"]);
    assert_eq!(ask(contact("ANA")).await, ["ana", "Ana Maria"]);
    assert_eq!(ask(contact("%")).await, ["Rui_100%"]);
    assert_eq!(ask(contact("_")).await, ["Rui_100%"]);
    assert_eq!(ask(channel("none")).await, [""; 0]);

    let zoo = key("zoo", "c", "ana");
    let said = stage.answer(&zoo, "good day").await;
    stage.hand_over(&zoo, said, accepted()).await;
    let open = SessionQuery {
        open_only: true,
        ..SessionQuery::default()
    };
    assert_eq!(ask(open).await, ["Rui_100%", "Ana Maria"]);
    assert_eq!(
        ask(SessionQuery::default()).await,
        ["ana", "Rui_100%", "Ana Maria"]
    );
}

pub async fn a_summary_shows_the_newest_message_and_reply<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (direct("ana"), direct("rui"));
    stage.exchange(&ana, "one", "1").await;
    stage.later(10);
    let (_, said) = stage.exchange(&ana, "two", "2").await;
    stage.later(10);
    let asked = stage.arrive(&ana, "three").await;
    stage.arrive(&rui, "hello").await;

    let mut page = harness
        .views()
        .session_summaries(&[ana.session(), rui.session()])
        .await
        .unwrap();
    page.sort_by(|a, b| a.stored.key.cmp(&b.stored.key));
    let [first, second] = &page[..] else {
        panic!("{} summaries", page.len())
    };
    assert_eq!(
        (first.id, &first.stored),
        (ana.session(), &stage.load(&ana).await)
    );
    assert_eq!(first.last_activity, stage.now);
    assert_eq!(
        first
            .last_message
            .as_ref()
            .map(|view| (view.id, view.text.as_str())),
        Some((asked, "three"))
    );
    assert_eq!(
        first
            .last_reply
            .as_ref()
            .map(|view| (view.id, view.parts.len())),
        Some((said, 1))
    );
    assert_eq!(second.last_reply, None);
}

pub async fn a_conversation_is_one_list_newest_first<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    for number in 0..3 {
        stage
            .exchange(&ana, &format!("q{number}"), &format!("a{number}"))
            .await;
        stage.later(10);
    }
    stage.arrive(&direct("rui"), "elsewhere").await;

    let mut after = None;
    let mut seen = Vec::new();
    loop {
        let page = harness
            .views()
            .conversation(ana.session(), after, 2)
            .await
            .unwrap();
        let Some(last) = page.last() else { break };
        assert!(page.len() <= 2);
        after = Some(last.place());
        seen.extend(page.into_iter().map(|line| match line {
            Line::Message(view) => view.text,
            Line::Reply(view) => view.parts.concat(),
        }));
    }
    assert_eq!(seen, ["a2", "q2", "a1", "q1", "a0", "q0"]);
}

pub async fn a_message_stored_late_stands_where_it_was_written<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    stage
        .exchange(&ana, "the bill is wrong", "which one?")
        .await;
    let written = stage.now.plus(10);
    stage.later(6_000);
    stage.exchange(&ana, "hello?", "good day").await;
    // Two of one instant, which the channel delivers after everything else.
    let mut late = Vec::new();
    for text in ["F-2207", "of May"] {
        let mut message = stage.message(&ana, text);
        message.sent_at = Some(written);
        late.push(message.id);
        stage.try_receive(&ana, message).await.unwrap();
        stage.later(10);
    }

    let mut after = None;
    let mut seen = Vec::new();
    loop {
        let page = harness
            .views()
            .conversation(ana.session(), after, 1)
            .await
            .unwrap();
        let Some(line) = page.into_iter().next() else {
            break;
        };
        after = Some(line.place());
        seen.push(match line {
            Line::Message(view) => view.text,
            Line::Reply(view) => view.parts.concat(),
        });
    }
    let order = [
        "good day",
        "hello?",
        "of May",
        "F-2207",
        "which one?",
        "the bill is wrong",
    ];
    assert_eq!(seen, order);

    let summaries = harness.views().session_summaries(&[ana.session()]).await;
    let newest = summaries.unwrap().remove(0).last_message.unwrap();
    assert_eq!(newest.text, "hello?");
    // The agent reads them in the same order.
    let history = stage.store.history(ana.session(), &[], 100).await.unwrap();
    let read: Vec<MessageId> = history
        .iter()
        .filter_map(|entry| match entry {
            HistoryEntry::Customer { message, .. } => Some(*message),
            _ => None,
        })
        .collect();
    assert_eq!(read[1..3], late);
}

pub async fn a_timeline_is_paged_newest_first<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (_, said) = stage.exchange(&ana, "hello", "good day").await;
    stage.hand_over(&ana, said, accepted()).await;
    let mut steps = stage.store.events(ana.session(), 0, 100).await.unwrap();
    steps.reverse();

    let views = harness.views();
    assert_eq!(
        views.timeline(ana.session(), None, 2).await.unwrap(),
        steps[..2]
    );
    assert_eq!(
        views
            .timeline(ana.session(), Some(steps[1].version), 100)
            .await
            .unwrap(),
        steps[2..]
    );
    assert_eq!(views.timeline(SessionId(1), None, 100).await.unwrap(), []);
}

pub async fn messages_are_filtered_and_paged<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, zoo) = (direct("ana"), key("zoo", "c", "rui"));
    let start = stage.now;
    for text in ["Where is my parcel?", "100%", "parcel_2"] {
        stage.arrive(&ana, text).await;
        stage.later(10);
    }
    stage.arrive(&zoo, "PARCEL!").await;
    let ask = async |query: MessageQuery| {
        let page = harness
            .views()
            .messages(&MessageQuery {
                limit: 100,
                ..query
            })
            .await
            .unwrap();
        texts(&page)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let text = |text: &str| MessageQuery {
        text: Some(text.to_owned()),
        ..MessageQuery::default()
    };

    assert_eq!(
        ask(text("parcel")).await,
        ["PARCEL!", "parcel_2", "Where is my parcel?"]
    );
    assert_eq!(ask(text("%")).await, ["100%"]);
    assert_eq!(ask(text("l_")).await, ["parcel_2"]);
    let channel = MessageQuery {
        channel: Some("zoo".to_owned()),
        ..MessageQuery::default()
    };
    assert_eq!(ask(channel).await, ["PARCEL!"]);
    let session = MessageQuery {
        session: Some(ana.session()),
        ..text("parcel")
    };
    assert_eq!(ask(session).await, ["parcel_2", "Where is my parcel?"]);
    let between = MessageQuery {
        from: Some(start.plus(10)),
        to: Some(start.plus(30)),
        ..MessageQuery::default()
    };
    assert_eq!(ask(between).await, ["parcel_2", "100%"]);

    let mut query = MessageQuery {
        limit: 3,
        ..MessageQuery::default()
    };
    let page = harness.views().messages(&query).await.unwrap();
    assert_eq!(texts(&page), ["PARCEL!", "parcel_2", "100%"]);
    query.after = page.last().map(|view| (view.received_at, view.id));
    stage.later(10);
    stage.arrive(&ana, "newcomer").await;
    assert_eq!(
        texts(&harness.views().messages(&query).await.unwrap()),
        ["Where is my parcel?"]
    );
}

pub async fn a_search_tells_how_far_it_comes_and_goes_on_there<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, zoo) = (direct("ana"), key("zoo", "c", "rui"));
    // Of "zoo" there are few, so that the channel of many says how far a search comes.
    for text in [
        "needle 1", "hay", "hay", "needle 2", "hay", "needle 3", "hay",
    ] {
        stage.arrive(&ana, text).await;
        stage.later(10);
        if text != "hay" {
            stage.arrive(&zoo, &format!("zoo's {text}")).await;
            stage.later(10);
        }
    }
    let views = harness.views();
    let mut query = MessageQuery {
        text: Some("needle".to_owned()),
        limit: 100,
        ..MessageQuery::default()
    };
    let mut stretches = Vec::new();
    loop {
        let reach = views.reach(&query, 3).await.unwrap();
        query.above = reach;
        let found = views.messages(&query).await.unwrap();
        stretches.push(texts(&found).join(", "));
        let Some((at, id)) = reach else { break };
        // What was left out comes first in the next stretch.
        query.after = Some((at, MessageId(id.0 + 1)));
    }
    assert_eq!(
        stretches,
        [
            "zoo's needle 3, needle 3, zoo's needle 2",
            "needle 2, zoo's needle 1",
            "needle 1"
        ]
    );

    let one = MessageQuery {
        session: Some(ana.session()),
        ..MessageQuery::default()
    };
    assert_eq!(views.reach(&one, 7).await.unwrap(), None);
    let all = MessageQuery {
        limit: 100,
        ..one.clone()
    };
    let oldest = views.messages(&all).await.unwrap().pop().unwrap();
    let left_out = (oldest.received_at, oldest.id);
    assert_eq!(views.reach(&one, 6).await.unwrap(), Some(left_out));
}

pub async fn replies_are_filtered_and_paged_by_their_last_change<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui, zoo) = (direct("ana"), direct("rui"), key("zoo", "c", "eva"));
    let mut said = Vec::new();
    for place in [&ana, &rui, &zoo] {
        said.push(stage.exchange(place, "hello", "good day").await.1);
        stage.later(10);
    }
    stage.hand_over(&ana, said[0], silence()).await;
    stage.later(10);
    let ask = async |query: ReplyQuery| {
        ids(&harness
            .views()
            .reply_list(&ReplyQuery {
                limit: 100,
                ..query
            })
            .await
            .unwrap())
    };
    let statuses = |statuses: &[ReplyStatus]| ReplyQuery {
        statuses: statuses.to_vec(),
        ..ReplyQuery::default()
    };

    assert_eq!(
        ask(ReplyQuery::default()).await,
        [said[0], said[2], said[1]]
    );
    assert_eq!(ask(statuses(&[ReplyStatus::Unknown])).await, [said[0]]);
    assert_eq!(
        ask(statuses(&[ReplyStatus::Unknown, ReplyStatus::Pending]))
            .await
            .len(),
        3
    );
    assert_eq!(ask(statuses(&[ReplyStatus::Parked])).await, []);
    let channel = ReplyQuery {
        channel: Some("zoo".to_owned()),
        ..ReplyQuery::default()
    };
    assert_eq!(ask(channel).await, [said[2]]);

    let mut query = ReplyQuery {
        limit: 2,
        ..ReplyQuery::default()
    };
    let page = harness.views().reply_list(&query).await.unwrap();
    assert_eq!(ids(&page), [said[0], said[2]]);
    query.after = page.last().map(|view| (view.changed_at, view.id));
    assert_eq!(
        ids(&harness.views().reply_list(&query).await.unwrap()),
        [said[1]]
    );
}

pub async fn replies_are_found_by_the_messages_they_cover<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let first = stage.arrive(&ana, "one").await;
    let second = stage.arrive(&ana, "two").await;
    let both = stage.answer(&ana, "1 and 2").await;
    let (third, other) = stage.exchange(&ana, "three", "3").await;

    let views = harness.views();
    for (message, reply) in [(first, both), (second, both), (third, other)] {
        assert_eq!(
            ids(&views
                .replies_covering(ana.session(), message)
                .await
                .unwrap()),
            [reply]
        );
    }
    assert_eq!(
        views
            .replies_covering(ana.session(), MessageId(1))
            .await
            .unwrap(),
        []
    );
    assert_eq!(
        views
            .replies_covering(direct("rui").session(), first)
            .await
            .unwrap(),
        []
    );
}

pub async fn a_channels_figures_are_its_own<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, zoo) = (direct("ana"), key("zoo", "c", "eva"));
    assert_eq!(
        harness.views().channel_figures("shop").await.unwrap(),
        ChannelFigures::default()
    );
    let (_, said) = stage.exchange(&ana, "hello", "good day").await;
    stage.hand_over(&ana, said, accepted()).await;
    let delivered = stage.now;
    stage.later(10);
    let (_, parked) = stage.exchange(&ana, "more", "again").await;
    stage
        .act(
            &ana,
            Command::TakeOver {
                by: "eva".to_owned(),
            },
        )
        .await;
    assert_eq!(
        harness.views().replies_by_id(&[parked]).await.unwrap()[0].status,
        ReplyStatus::Parked
    );
    stage.later(10);
    stage.arrive(&ana, "thanks").await;
    let inbound = stage.now;
    stage.later(10);
    stage.exchange(&zoo, "hello", "good day").await;

    let shop = ChannelFigures {
        last_inbound: Some(inbound),
        last_delivery: Some(delivered),
        parked: 1,
    };
    assert_eq!(harness.views().channel_figures("shop").await.unwrap(), shop);
    let zoo = harness.views().channel_figures("zoo").await.unwrap();
    assert_eq!((zoo.last_delivery, zoo.parked), (None, 0));
}

pub async fn open_replies_are_counted_by_status<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    for (contact, outcome) in [("a", accepted()), ("b", silence()), ("c", silence())] {
        let (_, said) = stage.exchange(&direct(contact), "hello", "good day").await;
        stage.hand_over(&direct(contact), said, outcome).await;
    }
    stage.exchange(&direct("d"), "hello", "good day").await;
    let mut counts = harness.views().open_counts().await.unwrap();
    counts.retain(|(_, count)| *count > 0);
    counts.sort_unstable();
    assert_eq!(
        counts,
        [(ReplyStatus::Pending, 1), (ReplyStatus::Unknown, 2)]
    );
}

pub async fn unknown_ids_are_left_out_of_views<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (asked, said) = stage.exchange(&ana, "hello", "good day").await;
    let views = harness.views();
    assert_eq!(
        views
            .messages_by_id(&[MessageId(1), asked])
            .await
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        views
            .replies_by_id(&[said, ReplyId(1)])
            .await
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        views
            .session_summaries(&[SessionId(1), ana.session()])
            .await
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        views.conversation(SessionId(1), None, 10).await.unwrap(),
        []
    );
}
