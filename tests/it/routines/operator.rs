//! What the operator sees on the command line.

use serde_json::Value;

use super::{bot_with_clock, lives_in_berlin};
use crate::platform::Platform;

#[tokio::test]
async fn routines_and_reminders_are_listed_for_people_and_for_scripts() {
    let bot = bot_with_clock(Platform::Telegram).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    chat.says("/remind every day at 9 water the plants");
    chat.hears().await;
    let printed = |arguments: &'static [&'static str]| {
        let mut command = bot.command();
        command.stdout(std::process::Stdio::piped()).args(arguments);
        async move {
            let output = command.output().await.unwrap();
            assert!(output.status.success());
            String::from_utf8(output.stdout).unwrap()
        }
    };
    let plain = printed(&["routines", "list"]).await;
    assert!(
        plain.contains("0 9 * * * (Europe/Berlin)  water the plants"),
        "{plain}"
    );
    let json: Value =
        serde_json::from_str(&printed(&["routines", "list", "--json"]).await).unwrap();
    assert_eq!(json[0]["words"], "water the plants");
    assert_eq!(json[0]["kind"], "remind");
    assert!(
        json[0]["due"].as_str().unwrap().contains("T09:00:00+0"),
        "{json}"
    );
    assert_eq!(json.as_array().unwrap().len(), 1);
    bot.assert_clean();
}
