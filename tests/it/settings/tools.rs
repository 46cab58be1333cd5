//! `[tools]`: how long a command may take, and how much is read and shown.

use serde_json::json;

use crate::house::House;

/// Has a tool called and approved, and returns its result as the model sees it.
async fn result_of(house: &House, tool: &str, arguments: serde_json::Value) -> String {
    let chat = house.direct();
    house.model.calls(vec![(tool, arguments)]);
    house.model.says("Seen.");
    chat.says("do it");
    chat.settles(|message| message.text == "Seen.").await;
    house.assert_clean();
    house.model.requests().pop().unwrap().last_tool_result()
}

#[tokio::test]
pub async fn command_is_ended_in_time() {
    let house = House::with(&[
        ("TOOLS__SHELL_TIMEOUT_SECS", "1"),
        ("POLICY__CONFIRM_EXEC", "false"),
    ])
    .await;
    let result = result_of(
        &house,
        "shell",
        json!({"command": "echo begun; sleep 30; echo over"}),
    )
    .await;
    assert!(
        result.contains("begun") && !result.contains("over"),
        "{result}"
    );
    assert!(result.contains("1 s"), "{result}");
}

#[tokio::test]
pub async fn so_much_output_is_shown() {
    let house = House::with(&[
        ("TOOLS__MAX_OUTPUT_BYTES", "1024"),
        ("POLICY__CONFIRM_EXEC", "false"),
    ])
    .await;
    let result = result_of(&house, "shell", json!({"command": "seq 1 5000"})).await;
    assert!(result.len() < 2048, "{} bytes", result.len());
    assert!(result.contains("bytes left out here"), "{result}");
}

#[tokio::test]
pub async fn so_much_of_a_file_is_read_at_once() {
    let house = House::with(&[("TOOLS__MAX_FILE_READ_BYTES", "1024")]).await;
    let chat = house.direct();
    chat.says("hello");
    chat.hears().await;
    std::fs::write(house.workspace().join("long"), "0123456789".repeat(500)).unwrap();
    let result = result_of(&house, "file_read", json!({"path": "long"})).await;
    let shown = result.matches("0123456789").count();
    assert!(
        (90..=103).contains(&shown),
        "{shown} of 500 shown:\n{result}"
    );
}
