//! What was damaged is found, and what was only erased is not damage.

use sayso_fakes::Message;

use super::{lines, sayso, with_a_past};
use crate::test_bot::TestBot;

/// What `audit verify` says of a bot.
async fn verdict(bot: &TestBot) -> (Option<i32>, String) {
    let ran = sayso(bot, &["audit", "verify"]).await;
    let first = ran.out.lines().next().unwrap_or_default().to_owned();
    (ran.code, format!("{first}{}", ran.err))
}

/// Changes the lines of the export and returns what `audit verify` says then.
async fn with_lines(change: impl FnOnce(&mut Vec<String>)) -> String {
    let bot = with_a_past().await;
    assert_eq!(verdict(&bot).await.0, Some(0), "before");
    let mut changed = lines(&bot);
    change(&mut changed);
    let text = changed.join("\n") + "\n";
    std::fs::write(bot.data().join("audit.jsonl"), text).unwrap();
    let (code, said) = verdict(&bot).await;
    assert_eq!(code, Some(1), "{said}");
    said
}

/// Changes the table and returns what `audit verify` says then.
async fn with_table(statement: &'static str) -> String {
    let bot = with_a_past().await;
    bot.write(statement).await;
    let (code, said) = verdict(&bot).await;
    assert_eq!(code, Some(1), "{said}");
    said
}

#[tokio::test]
async fn an_untouched_audit_holds() {
    let bot = with_a_past().await;
    let ran = sayso(&bot, &["audit", "verify"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let head = bot
        .rows("SELECT seq || ':' || hash FROM audit ORDER BY seq DESC LIMIT 1")
        .await;
    let shown = ran.out.replace(&head[0], "(seq:hash)");
    insta::assert_snapshot!(shown, @r"
    ok: 5 entries, 4 with what they are about; the database and `(data)/audit.jsonl` agree
    head: (seq:hash)
    hint: note this line somewhere else; `sayso audit verify --head …` finds out when the end was cut off everywhere.
    ");
}

#[tokio::test]
async fn a_changed_byte_is_found() {
    let said = with_lines(|lines| lines[1] = lines[1].replace("approved", "Approved")).await;
    insta::assert_snapshot!(said, @"BROKEN: line 2 was changed: the database has another entry 2");
}

#[tokio::test]
async fn a_line_that_was_cut_out_is_found() {
    let said = with_lines(|lines| drop(lines.remove(2))).await;
    insta::assert_snapshot!(said, @"BROKEN: line 3 is entry 4: entry 3 was cut out or moved, or a line was added");
}

#[tokio::test]
async fn an_inserted_line_is_found() {
    let said = with_lines(|lines| lines.insert(1, lines[0].clone())).await;
    insta::assert_snapshot!(said, @"BROKEN: line 2 is entry 1: entry 2 was cut out or moved, or a line was added");
}

#[tokio::test]
async fn swapped_lines_are_found() {
    let said = with_lines(|lines| lines.swap(0, 1)).await;
    insta::assert_snapshot!(said, @"BROKEN: line 1 is entry 2: entry 1 was cut out or moved, or a line was added");
}

#[tokio::test]
async fn an_end_that_was_cut_off_the_file_is_found() {
    let said = with_lines(|lines| lines.truncate(3)).await;
    insta::assert_snapshot!(said, @"BROKEN: the file ends at line 3, but the database has 5 entries: its end was cut off, or Sayso was killed before it wrote them (the next start adds them)");
}

#[tokio::test]
async fn a_changed_row_is_found() {
    let said = with_table(
        "DROP TRIGGER audit_is_never_changed;
         UPDATE audit SET decided_by = 'policy' WHERE seq = 2",
    );
    insta::assert_snapshot!(said.await, @"BROKEN: entry 2 of the database was changed, or the entry before it");
}

#[tokio::test]
async fn a_deleted_row_is_found() {
    let said = with_table(
        "DROP TRIGGER audit_is_never_cut; DELETE FROM audit_payloads WHERE seq = 2;
         DELETE FROM audit WHERE seq = 2",
    );
    insta::assert_snapshot!(said.await, @"BROKEN: entry 2 is missing from the database");
}

#[tokio::test]
async fn rows_that_were_cut_off_the_database_are_found() {
    let said = with_table(
        "DROP TRIGGER audit_is_never_cut; DELETE FROM audit_payloads WHERE seq > 3;
         DELETE FROM audit WHERE seq > 3",
    );
    insta::assert_snapshot!(said.await, @"BROKEN: the database ends at entry 3, but the file goes on: entries were deleted, or an older backup was restored");
}

#[tokio::test]
async fn a_changed_payload_is_found() {
    let said =
        with_table(r#"UPDATE audit_payloads SET payload = '{"arguments":{}}' WHERE seq = 1"#);
    insta::assert_snapshot!(said.await, @"BROKEN: what entry 1 is about was changed in the database");
}

#[tokio::test]
async fn our_own_rows_cannot_be_changed_by_accident() {
    let bot = with_a_past().await;
    bot.write("UPDATE OR IGNORE audit_payloads SET salt = salt")
        .await;
    for statement in ["UPDATE audit SET tool = NULL", "DELETE FROM audit"] {
        let refused = bot.refuses(statement).await;
        assert!(refused.contains("rows of the audit are never"), "{refused}");
    }
}

#[tokio::test]
async fn an_end_that_was_cut_off_everywhere_is_found_by_the_noted_head() {
    let bot = with_a_past().await;
    let ran = sayso(&bot, &["audit", "verify"]).await;
    let head = ran
        .out
        .lines()
        .find_map(|line| line.strip_prefix("head: "))
        .unwrap()
        .to_owned();
    bot.write(
        "DROP TRIGGER audit_is_never_cut; DELETE FROM audit_payloads WHERE seq > 3;
             DELETE FROM audit WHERE seq > 3",
    )
    .await;
    let kept = lines(&bot)[..3].join("\n") + "\n";
    std::fs::write(bot.data().join("audit.jsonl"), kept).unwrap();
    assert_eq!(verdict(&bot).await.0, Some(0), "nothing else can tell");
    let ran = sayso(&bot, &["audit", "verify", "--head", &head]).await;
    assert_eq!(ran.code, Some(1));
    let said = ran.out.lines().next().unwrap();
    insta::assert_snapshot!(said, @"BROKEN: entry 5 is not the one that you noted: the audit was cut off or rewritten");
}

#[tokio::test]
async fn another_file_can_be_verified() {
    let bot = with_a_past().await;
    let copy = bot.path("copy.jsonl");
    std::fs::copy(bot.data().join("audit.jsonl"), &copy).unwrap();
    std::fs::remove_file(bot.data().join("audit.jsonl")).unwrap();
    assert_eq!(verdict(&bot).await.0, Some(1));
    let ran = sayso(&bot, &["audit", "verify", "--file", copy.to_str().unwrap()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[tokio::test]
async fn a_forgotten_person_leaves_the_chain_whole() {
    let bot = with_a_past().await;
    let account = bot.platform.account(&bot.ann);
    let ran = sayso(&bot, &["audit", "forget", &account]).await;
    insta::assert_snapshot!(ran.out, @"erased what 4 entries of `telegram:101` are about; the entries stay, and the chain still holds");
    assert!(
        bot.rows("SELECT payload FROM audit_payloads")
            .await
            .is_empty()
    );
    let (code, said) = verdict(&bot).await;
    assert_eq!(code, Some(0), "{said}");
    insta::assert_snapshot!(said, @"ok: 5 entries, 0 with what they are about; the database and `(data)/audit.jsonl` agree");
}

/// How payloads stand in the database, and nothing else does.
const ARGUMENTS: &str = r#"{"arguments":{"command":"touch quince-"#;

/// Returns the files of the data directory in whose bytes these stand.
fn files_with(bot: &TestBot, bytes: &str) -> Vec<String> {
    let entries = std::fs::read_dir(bot.data()).unwrap().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_file())
        .filter(|entry| {
            let held = std::fs::read(entry.path()).unwrap();
            held.windows(bytes.len())
                .any(|window| window == bytes.as_bytes())
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn not_a_byte_of_a_forgotten_person_is_left_in_the_audit() {
    let mut bot = super::open().await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    for number in 0..25 {
        ann.says(&format!("run: touch quince-{number}"));
        let card = ann.hears_with(Message::asks).await;
        ann.press(&bot.ann, card.id, "Deny").await;
        ann.hears_with(|message| message.text == "done").await;
    }
    bob.says("run: touch plum");
    let card = bob.hears_with(Message::asks).await;
    bob.press(&bot.bob, card.id, "Deny").await;
    bob.hears_with(|message| message.text == "done").await;
    bot.stop().await;
    assert!(!files_with(&bot, ARGUMENTS).is_empty(), "it was there");
    assert!(files_with(&bot, "quince-").contains(&"sayso.db".to_owned()));

    let account = bot.platform.account(&bot.ann);
    let ran = sayso(&bot, &["audit", "forget", &account]).await;
    assert!(ran.out.starts_with("erased what 25 entries"), "{ran:?}");
    let left = files_with(&bot, ARGUMENTS);
    assert!(left.is_empty(), "{left:?}");
    let file = std::fs::read_to_string(bot.data().join("audit.jsonl")).unwrap();
    assert!(!file.contains("quince"), "{file}");
    let others = bot.rows("SELECT payload FROM audit_payloads").await;
    assert_eq!(others, [r#"{"arguments":{"command":"touch plum"}}"#]);
    let (code, said) = verdict(&bot).await;
    assert_eq!(code, Some(0), "{said}");
}

#[tokio::test]
async fn no_one_is_forgotten_while_sayso_runs_or_when_no_one_is_known() {
    let mut bot = with_a_past().await;
    let ran = sayso(&bot, &["audit", "forget", "telegram:999"]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    bot.start();
    let chat = bot.direct();
    chat.says("hello");
    chat.hears().await;
    let ran = sayso(&bot, &["audit", "forget", "telegram:101"]).await;
    assert!(ran.err.contains("is in use by another Sayso"), "{ran:?}");
}
