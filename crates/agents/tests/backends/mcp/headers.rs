//! Arguments that a server wants to see among the headers too.

use replygate_agents::mcp::ToolErrors;
use replygate_ports::tools::{ToolCall, ToolError};
use replygate_testkit::backends::Act;
use serde_json::{Value, json};

use super::{answer, booked, call, discovered, host, id, listing};

/// A tool whose server wants one of its arguments as a header, under that name.
fn listed(header: &str) -> Value {
    json!({
        "name": "book",
        "inputSchema": {
            "type": "object",
            "properties": { "title": { "type": "string", "x-mcp-header": header } },
        },
    })
}

#[tokio::test]
async fn arguments_that_a_server_wants_as_headers_are_sent_as_such() {
    let other = json!({ "name": "look", "inputSchema": { "type": "object" } });
    let stand = discovered([
        listing(&json!({ "tools": [other], "nextCursor": "p2" })),
        listing(&json!({ "tools": [listed("Title")] })),
        Act::json(200, &answer(&id(1), &booked())),
    ])
    .await;
    let made = ToolCall {
        arguments: json!({ "title": "Psicología" }),
        ..call(1)
    };
    let outcome = host(&stand, ToolErrors::Failed).run(&made).await;
    assert_eq!(outcome, Ok(booked()));
    let seen = stand.seen();
    assert_eq!(seen[2].body["params"]["cursor"], "p2");
    assert_eq!(seen[3].body["method"], "tools/call");
    assert_eq!(
        seen[3].header("mcp-param-title"),
        "=?base64?UHNpY29sb2fDrWE=?="
    );
    assert_eq!(stand.problems(), [""; 0]);
}

#[tokio::test]
async fn a_server_whose_tools_changed_is_asked_again_and_called_once_more() {
    let mismatch =
        json!({ "jsonrpc": "2.0", "id": id(1), "error": { "code": -32_020, "message": "no" } });
    let known = json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"] });
    for refused in [Act::json(400, &mismatch), Act::json(200, &mismatch)] {
        let stand = discovered([
            listing(&json!({ "tools": [listed("Old")] })),
            refused,
            Act::json(200, &answer("discover", &known)),
            listing(&json!({ "tools": [listed("New")] })),
            Act::json(400, &mismatch),
        ])
        .await;
        let outcome = host(&stand, ToolErrors::Failed).run(&call(1)).await;
        let code = "rpc-32020".to_owned();
        let message = "no".to_owned();
        // The second refusal stands.
        assert_eq!(outcome, Err(ToolError::Failed { code, message }));
        let seen = stand.seen();
        assert_eq!(seen[2].header("mcp-param-old"), "Yoga");
        assert_eq!(seen[5].header("mcp-param-new"), "Yoga");
        assert_eq!(seen.len(), 6);
        assert_eq!(stand.problems(), [""; 0]);
    }
}

#[tokio::test]
async fn a_tool_that_marks_what_cannot_be_a_header_is_not_called() {
    let stand = discovered([listing(&json!({ "tools": [listed("a b")] }))]).await;
    let outcome = host(&stand, ToolErrors::Failed).run(&call(1)).await;
    assert!(
        matches!(&outcome, Err(ToolError::Failed { code, .. }) if code == "tool_definition"),
        "{outcome:?}"
    );
    assert_eq!(stand.seen().len(), 2, "nothing was called");
}

#[tokio::test]
async fn a_server_that_lists_nothing_is_called_all_the_same() {
    for refused in [Act::json(500, &Value::Null), Act::json(200, &json!({}))] {
        let stand = discovered([refused, Act::json(200, &answer(&id(1), &booked()))]).await;
        let outcome = host(&stand, ToolErrors::Failed).run(&call(1)).await;
        assert_eq!(outcome, Ok(booked()));
    }
}
