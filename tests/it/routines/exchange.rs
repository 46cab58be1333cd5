//! Routines and reminders as a file: what is exported is imported again, once, and a file with a mistake
//! changes nothing.

use std::process::Stdio;

use serde_json::json;

use super::{bot_with, lives_in_berlin};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    what_is_exported_is_imported_again_and_once,
    a_file_with_mistakes_is_named_by_its_lines_and_keeps_nothing
);

/// Runs a command; returns its exit code, and what it printed.
async fn printed(bot: &TestBot, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = bot.command();
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .args(arguments);
    let output = command.output().await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), text + &errors)
}

async fn what_is_exported_is_imported_again_and_once(platform: Platform) {
    let settings = [("AGENT__AUTONOMY", "full"), ("HTTP__LISTEN", "127.0.0.1:0")];
    let mut bot = bot_with(platform, &settings).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    for reminder in [
        "every day at 9 water the plants",
        "at 2098-12-01 09:00 celebrate \"it\"",
        "every 2 hours stretch",
    ] {
        chat.says(&format!("/remind {reminder}"));
        chat.hears().await;
    }
    for create in [
        json!({"schedule": "CRON_TZ=Asia/Tokyo 0 9 * * 1-5", "prompt": "look at the mail\nand sum it up",
               "name": "mail", "notify": "news", "late": "6h"}),
        json!({"on_file": "reports/*.csv", "prompt": "add up"}),
        json!({"on_webhook": true, "prompt": "say what broke"}),
    ] {
        let mut create = create;
        create["action"] = json!("create");
        bot.model.calls(vec![("routine", create)]);
        let done = format!("Kept {}.", bot.model.requests().len());
        bot.model.says(&done);
        chat.says("keep that routine");
        chat.settles(|message| message.text == done).await;
    }
    let (code, exported) = printed(&bot, &["routines", "export"]).await;
    assert_eq!(code, Some(0), "{exported}");
    assert_eq!(exported.matches("[[routines]]").count(), 6, "{exported}");
    for line in [
        "zone = \"Asia/Tokyo\"",
        "on_file = \"reports/*.csv\"",
        "on_webhook = true",
        "late = \"6h\"",
        "notify = \"news\"",
        "schedule = \"every 120 minutes\"",
    ] {
        assert!(exported.contains(line), "{line}: {exported}");
    }
    let account = platform.account(&bot.ann);
    let (_, own) = printed(&bot, &["routines", "export", "--person", &account]).await;
    assert_eq!(own, exported);
    let (code, refused) = printed(&bot, &["routines", "export", "--person", "nowhere:1"]).await;
    assert_eq!(code, Some(1), "{refused}");
    let file = bot.path("routines.toml");
    std::fs::write(&file, &exported).unwrap();
    let import = ["routines", "import", file.to_str().unwrap()];
    let (code, running) = printed(&bot, &import).await;
    assert_ne!(code, Some(0), "{running}");
    bot.stop().await;
    let (code, again) = printed(&bot, &import).await;
    assert_eq!(code, Some(0), "{again}");
    assert_eq!(again, "new: 0, kept before: 6, over: 0\n");
    bot.write("DELETE FROM routines").await;
    let (code, anew) = printed(&bot, &import).await;
    assert_eq!(code, Some(0), "{anew}");
    assert!(
        anew.starts_with("new: 6, kept before: 0, over: 0\n"),
        "{anew}"
    );
    assert!(anew.contains("webhook: POST /hooks/"), "{anew}");
    let (_, after) = printed(&bot, &["routines", "export"]).await;
    assert_eq!(after, exported);
    let (_, twice) = printed(&bot, &import).await;
    assert_eq!(twice, "new: 0, kept before: 6, over: 0\n");
    bot.assert_clean();
}

async fn a_file_with_mistakes_is_named_by_its_lines_and_keeps_nothing(platform: Platform) {
    let mut bot = bot_with(platform, &[]).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    chat.says("/remind every day at 9 water the plants");
    chat.hears().await;
    let (_, exported) = printed(&bot, &["routines", "export"]).await;
    bot.stop().await;
    bot.write("DELETE FROM routines").await;
    let file = bot.path("routines.toml");
    let path = file.to_str().unwrap().to_owned();
    let (whose, where_to) = {
        let value = |key: &str| {
            let start = format!("{key} = ");
            let line = exported.lines().find(|line| line.starts_with(&start));
            line.unwrap().to_owned()
        };
        (value("person"), value("chat"))
    };
    let head = format!("[[routines]]\n{whose}\n{where_to}\n");
    let good = format!("{head}schedule = \"0 9 * * *\"\nwords = \"look\"\n");
    let of = |lines: &str| format!("{head}{lines}\n");
    let person = "[[routines]]\nperson = \"telegram:9\"\nchat = \"x\"\nschedule = \"0 9 * * *\"\nwords = \"a\"\n";
    let wrong = [
        of("schedule = \"every second\"\nwords = \"a\""),
        of("schedule = \"0 9 30 2 *\"\nwords = \"a\""),
        of("schedule = \"* * * * *\"\nwords = \"a\""),
        of("words = \"a\""),
        of("schedule = \"0 9 * * *\"\non_file = \"a\"\nwords = \"a\""),
        of("schedule = \"0 9 * * *\"\nzone = \"Mars/Olympus\"\nwords = \"a\""),
        of("schedule = \"0 9 * * *\"\nlate = \"0h\"\nwords = \"a\""),
        of("schedule = \"0 9 * * *\"\nwords = \"\""),
        of("on_file = \"../a\"\nwords = \"a\""),
        of("on_words = [\"fire\"]\nwords = \"a\""),
        of("on_webhook = true\nwords = \"a\""),
        of("kind = \"remind\"\non_file = \"a\"\nwords = \"a\""),
        person.to_owned(),
    ];
    // Each alone is named by its line, and keeps the good one before it from being kept.
    for (wrong, line, what) in [
        (&wrong[0], 10, "`schedule` is `every second`"),
        (&wrong[2], 10, "more often than every 15 minutes"),
        (&wrong[3], 7, "exactly one of `schedule`"),
        (&wrong[5], 11, "`zone` is `Mars/Olympus`"),
        (&wrong[6], 11, "`late` is `0h`; allowed are `half`"),
        (&wrong[7], 11, "`words` is empty"),
        (&wrong[8], 10, "`on_file` is a pattern"),
        (&wrong[9], 10, "`chat` is a direct chat"),
        (&wrong[10], 10, "needs the HTTP listener"),
        (&wrong[11], 10, "reminders are started by `schedule`"),
        (&wrong[12], 8, "`person` is `telegram:9`"),
        (
            &"[[routines]]\nwrods = \"a\"\n".to_owned(),
            8,
            "unknown field `wrods`, expected one of",
        ),
        (&"[[routines]]\nwords = 1\n".to_owned(), 8, "invalid type"),
        (&"[[routines]\n".to_owned(), 7, "line 7"),
    ] {
        std::fs::write(&file, format!("{good}\n{wrong}")).unwrap();
        let (code, said) = printed(&bot, &["routines", "import", &path]).await;
        assert_eq!(code, Some(1), "{wrong}\n{said}");
        assert!(
            said.starts_with(&format!("line {line}: ")),
            "{line} {wrong}\n{said}"
        );
        assert!(said.contains(what), "{what}\n{said}");
        assert!(said.contains("nothing of the file is kept"), "{said}");
    }
    // A good one in a thread without a session leaves none, as the file is refused.
    let in_thread = good.replace("schedule", "thread = \"77\"\nschedule");
    let sessions = "SELECT thread FROM sessions ORDER BY id";
    let before = bot.rows(sessions).await;
    std::fs::write(&file, format!("{in_thread}\n{}", wrong[12])).unwrap();
    let (code, said) = printed(&bot, &["routines", "import", &path]).await;
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(bot.rows(sessions).await, before);
    // All that is wrong is named at once.
    std::fs::write(&file, wrong[..9].concat()).unwrap();
    let (_, said) = printed(&bot, &["routines", "import", &path]).await;
    assert!(said.matches("line ").count() >= 6, "{said}");
    assert!(bot.rows("SELECT '' || id FROM routines").await.is_empty());
    // Alone it is kept, with a session of its thread.
    std::fs::write(&file, &in_thread).unwrap();
    let (code, said) = printed(&bot, &["routines", "import", &path]).await;
    assert_eq!(code, Some(0), "{said}");
    let kept = "SELECT s.thread FROM routines r JOIN sessions s ON s.id = r.session_id";
    assert_eq!(bot.rows(kept).await, ["77"]);
    bot.assert_clean();
}
