//! Reports from the field about bursts: one thought is one turn, and every contact's thought is his own.

mod stage;

use stage::{Setting, Stage, inbound};

fn one_turn(at: i64, texts: &[&str]) -> Vec<(i64, Vec<String>)> {
    vec![(at, texts.iter().map(|text| (*text).to_owned()).collect())]
}

/// FC-10
#[tokio::test(start_paused = true)]
async fn the_first_line_of_a_burst_waits_as_well() {
    let stage = Stage::set(Setting::default()).await;
    let lines = [
        "すみません",
        "昨日注文した靴ですが、",
        "サイズ交換できますか？",
    ];
    stage
        .play(&[
            (0, "c16", "wc-1001", lines[0]),
            (900, "c16", "wc-1002", lines[1]),
            (2_100, "c16", "wc-1003", lines[2]),
        ])
        .await;
    stage.until(30_000).await;
    assert_eq!(stage.runs_for("c16"), one_turn(3_300, &lines));
    assert_eq!(stage.screen("c16").len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_opening_an_unfinished_line_and_a_question_are_one_turn_in_every_language() {
    let bursts = [
        ["bom dia", "meu pedido de ontem,", "chegou incompleto."],
        [
            "hello",
            "about the parcel from Monday and",
            "it is still not here.",
        ],
        [
            "bonjour",
            "la commande de lundi mais",
            "il manque un article.",
        ],
        ["你好", "我昨天买的鞋，", "可以换大一号吗？"],
        ["नमस्ते", "कल का ऑर्डर लेकिन", "वह अभी तक नहीं आया।"],
    ];
    let stage = Stage::set(Setting::default()).await;
    for (index, burst) in bursts.iter().enumerate() {
        let (contact, start) = (format!("b{index}"), 40_000 * index as i64);
        for (line, gap) in burst.iter().zip([0, 1_500, 3_300]) {
            stage.until(start + gap).await;
            stage.write(&contact, &gap.to_string(), line).await;
        }
        stage.until(start + 30_000).await;
        assert_eq!(stage.runs_for(&contact), one_turn(start + 4_500, burst));
        assert_eq!(stage.screen(&contact).len(), 1);
    }
    stage.sound().await;
}

/// FC-12
#[tokio::test(start_paused = true)]
async fn two_contacts_who_write_the_same_share_nothing() {
    let stage = Stage::set(Setting::default()).await;
    stage
        .play(&[
            (0, "c18", "wa-1201", "quero saber do meu exame"),
            (150, "c19", "wa-1202", "quero saber do meu exame"),
            (700, "c18", "wa-1203", "o de sangue"),
            (850, "c19", "wa-1204", "o de vista"),
        ])
        .await;
    stage.until(30_000).await;
    assert_eq!(
        stage.texts("c18"),
        ["quero saber do meu exame | o de sangue"]
    );
    assert_eq!(
        stage.texts("c19"),
        ["quero saber do meu exame | o de vista"]
    );
    for run in stage.world.props.agent.runs() {
        let other = if run.turn.key.contact == "c18" {
            "vista"
        } else {
            "sangue"
        };
        assert!(!format!("{:?}", run.turn).contains(other));
    }
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn one_name_on_two_channels_or_accounts_is_as_many_sessions() {
    let stage = Stage::set(Setting::default().and_channels(&["second"])).await;
    let mut other_account = inbound("webchat", "maria", "2", "from the second number");
    other_account.key.account = "+2".to_owned();
    stage
        .receive(inbound("webchat", "maria", "1", "from the page"))
        .await;
    stage
        .receive(inbound("second", "maria", "1", "from the other channel"))
        .await;
    stage.receive(other_account).await;
    stage.until(30_000).await;
    assert_eq!(stage.runs_for("maria").len(), 3);
    for one in stage.world.props.channel.hand_overs() {
        let expected = match (one.part.key.channel.as_str(), one.part.key.account.as_str()) {
            ("second", _) => "from the other channel",
            (_, "+2") => "from the second number",
            _ => "from the page",
        };
        assert_eq!(one.part.text, expected);
    }
    assert!(
        stage
            .world
            .props
            .agent
            .runs()
            .iter()
            .all(|run| run.turn.history.is_empty())
    );
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn two_authors_of_a_group_have_a_burst_and_a_reply_each_in_one_order() {
    let stage = Stage::set(Setting::default()).await;
    let line = |contact: &str, id: &str, text: &str| {
        let mut inbound = inbound("webchat", contact, id, text);
        inbound.key.conversation = "group".to_owned();
        inbound
    };
    stage
        .receive(line("ana", "1", "which day is the tour"))
        .await;
    stage.until(300).await;
    stage.receive(line("rui", "2", "can we pay by card")).await;
    stage.until(900).await;
    stage.receive(line("ana", "3", "and at what time?")).await;
    stage.until(60_000).await;
    assert_eq!(
        stage.texts("ana"),
        ["which day is the tour | and at what time?"]
    );
    assert_eq!(stage.texts("rui"), ["can we pay by card"]);
    stage.sound().await;
}

/// FC-14
#[tokio::test(start_paused = true)]
async fn a_reference_that_follows_its_request_is_in_the_same_turn() {
    let stage = Stage::set(Setting::default()).await;
    let lines = ["envoyez-moi le duplicata de la facture", "c'est la F-2207"];
    stage
        .play(&[
            (0, "c21", "wa-1401", lines[0]),
            (2_000, "c21", "wa-1402", lines[1]),
        ])
        .await;
    stage.until(30_000).await;
    assert_eq!(stage.runs_for("c21"), one_turn(4_500, &lines));
    assert_eq!(stage.screen("c21").len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_number_alone_joins_the_request_before_it() {
    let requests = [
        ("quero a segunda via do boleto", "4471"),
        ("necesito el rastreo del pedido", "R$ 1.250,00"),
        ("please resend my ticket", "it is B-77"),
        ("请查一下我的订单", "８２０１６"),
    ];
    let stage = Stage::set(Setting::default()).await;
    for (index, (request, reference)) in requests.iter().enumerate() {
        let (contact, start) = (format!("r{index}"), 20_000 * index as i64);
        stage
            .play(&[
                (start, &contact, "1", request),
                (start + 2_400, &contact, "2", reference),
            ])
            .await;
        stage.until(start + 15_000).await;
        assert_eq!(
            stage.runs_for(&contact),
            one_turn(start + 4_900, &[request, reference])
        );
    }
}
