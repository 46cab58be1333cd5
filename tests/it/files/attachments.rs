//! What is fetched, under which name, and when it is not.

use sayso_fakes::{Answer, Fault, Gate, Message};

use crate::platform::{Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    a_document_is_kept_and_named,
    a_file_alone_begins_a_turn,
    a_file_that_comes_while_a_turn_works_is_there_at_its_next_step,
    the_same_file_is_kept_once_and_another_of_its_name_beside_it,
    a_file_of_somebody_else_in_a_group_is_not_touched,
    s12_a_secret_is_asked_about_under_the_name_that_it_arrives_by,
    chat_f21_a_dotfile_of_secrets_is_asked_about_whatever_reads_it,
    chat_f19_a_picture_that_no_model_sees_is_called_by_its_brand_and_said,
    chat_f15_a_text_in_another_encoding_is_read,
    files_go_when_their_person_is_erased,
    row60_a_file_that_is_too_large_is_one_message_without_a_model,
    row60_with_words_the_request_runs_and_its_answer_begins_with_it
);

const PDF: &[u8] = b"%PDF-1.7 and more";

async fn a_document_is_kept_and_named(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.sends_document("report.pdf", PDF, "what is in it?");
    chat.hears().await;
    insta::assert_snapshot!(bot.model.turn_requests()[0].last_user(), @r"
    what is in it?
    [file: inbox/report.pdf, PDF, 1 kB]
    ");
    let kept = std::fs::read(bot.workspace().join("inbox/report.pdf")).unwrap();
    assert_eq!(kept, PDF);
    bot.assert_clean();
}

/// Names lose their leading dot on the way.
async fn s12_a_secret_is_asked_about_under_the_name_that_it_arrives_by(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for (sent, kept) in [
        (".env", "inbox/env"),
        (".bash_history", "inbox/bash_history"),
        ("Login Data", "inbox/Login_Data"),
    ] {
        let read = format!("cat {kept}");
        bot.model
            .calls(vec![("shell", serde_json::json!({"command": read}))]);
        chat.sends_document(sent, "KEY=value", "what is in it?");
        let card = chat
            .hears_with(|message| message.asks() && message.text.contains(kept))
            .await;
        bot.model.says("You said no.");
        chat.press(&bot.ann, card.id, "Deny").await;
        chat.hears_with(|message| message.text == "You said no.")
            .await;
        assert!(bot.workspace().join(kept).is_file(), "{kept}");
    }
    bot.assert_clean();
}

/// What `.env` and `.netrc` keep is not read unasked by any tool, although they arrive without their dots.
async fn chat_f21_a_dotfile_of_secrets_is_asked_about_whatever_reads_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for (number, (sent, content)) in [
        (".env", "SHOP_PASSWORD=c123"),
        (".netrc", "machine a login b password c123"),
        (".env.production", "SHOP_PASSWORD=c123"),
        (".pgpass", "db:5432:shop:b:c123"),
    ]
    .into_iter()
    .enumerate()
    {
        let kept = format!("inbox/{}", &sent[1..]);
        let tool = ["file_read", "read_document"][number % 2];
        bot.model
            .calls(vec![(tool, serde_json::json!({"path": kept}))]);
        chat.sends_document(sent, content, "what is in it?");
        let card = chat
            .hears_with(|message| message.asks() && message.text.contains(&kept))
            .await;
        let said = format!("You said no to {number}.");
        bot.model.says(&said);
        chat.press(&bot.ann, card.id, "Deny").await;
        chat.hears_with(|message| message.text == said).await;
    }
    for request in bot.model.requests() {
        assert!(!request.mentions("c123"), "it went to the model unasked");
    }
    bot.assert_clean();
}

async fn chat_f19_a_picture_that_no_model_sees_is_called_by_its_brand_and_said(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let file = |brands: &str| [b"\0\0\0\x20ftyp", brands.as_bytes(), &[0; 100]].concat();
    for (number, (name, brands, kind)) in [
        ("IMG_1.HEIC", "heic\0\0\0\0heicmif1", "HEIC"),
        ("holiday.png", "mif1\0\0\0\0mif1heic", "HEIC"),
        ("art.avif", "avif\0\0\0\0", "AVIF"),
    ]
    .into_iter()
    .enumerate()
    {
        let said = format!("Answer {number}.");
        bot.model.says(&said);
        chat.sends_document(name, file(brands), "what is this?");
        let word = chat
            .hears_with(|message| {
                message
                    .text
                    .contains(&format!("I cannot see {kind} pictures"))
            })
            .await;
        assert!(word.text.contains("send it as a photo"), "{word}");
        assert!(word.text.ends_with(&said), "{word}");
        let seen = bot.model.turn_requests()[number].last_user();
        assert!(
            seen.contains(&format!(": inbox/{name}, {kind}, 1 kB; ")),
            "{seen}"
        );
    }
    bot.model.says("A song.");
    chat.sends_document("song.mp4", file("M4A \0\0\0\0"), "and this?");
    chat.settles(|message| message.text == "A song.").await;
    let seen = bot.model.turn_requests()[3].last_user();
    assert!(seen.contains("inbox/song.mp4, M4A, 1 kB"), "{seen}");
    bot.assert_clean();
}

async fn chat_f15_a_text_in_another_encoding_is_read(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let units = "Budget — 100 €\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes);
    let marked: Vec<u8> = [0xff, 0xfe].into_iter().chain(units).collect();
    let russian = b"\xcf\xf0\xe8\xe2\xe5\xf2, \xfd\xf2\xee \xf1\xef\xe8\xf1\xee\xea".to_vec();
    for (name, bytes, tool, text, encoding) in [
        (
            "budget.txt",
            marked.clone(),
            "file_read",
            "Budget — 100 €",
            "UTF-16LE",
        ),
        (
            "plain.txt",
            marked[2..].to_vec(),
            "file_read",
            "Budget — 100 €",
            "UTF-16LE",
        ),
        (
            "list.csv",
            russian.clone(),
            "read_document",
            "Привет, это список",
            "windows-1251, by guess",
        ),
        (
            "list.txt",
            russian,
            "file_read",
            "Привет, это список",
            "windows-1251, by guess",
        ),
    ] {
        let read = serde_json::json!({"path": format!("inbox/{name}")});
        bot.model.calls(vec![(tool, read)]);
        let said = format!("Read {name}.");
        bot.model.says(&said);
        chat.sends_document(name, bytes, "what does it say?");
        chat.settles(|message| message.text == said).await;
        let given = bot.model.requests().pop().unwrap().last_tool_result();
        assert!(
            given.contains(text) && given.contains(encoding),
            "{name}: {given}"
        );
    }
    bot.assert_clean();
}

async fn a_file_alone_begins_a_turn(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.sends_photo(b"\xff\xd8\xff\xe0".to_vec(), "");
    chat.hears().await;
    chat.sends_voice(b"OggS".to_vec());
    chat.hears().await;
    let turns = bot.model.turn_requests();
    insta::assert_snapshot!(turns[0].last_user(), @r"
    [photo: inbox/photo.jpg, JPEG, 1 kB]
    [inbox/photo.jpg cannot be seen by this model: say so]
    ");
    let is_known = turns[1].mentions("[photo: inbox/photo.jpg, JPEG, 1 kB]");
    assert!(is_known, "a later turn knows where it is kept");
    // Discord has a name of its own for it.
    let voice = turns[1].last_user().replace("voice-message", "voice");
    insta::assert_snapshot!(voice, @"[voice message: inbox/voice.ogg, OGG, 1 kB; kept, but you cannot listen to it: say so]");
    bot.assert_clean();
}

async fn a_file_that_comes_while_a_turn_works_is_there_at_its_next_step(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    let list = ("list_dir", serde_json::json!({"path": "."}));
    bot.model.answers(Answer::calls(vec![list]).held_by(&gate));
    bot.model.says("Both are here.");
    chat.says("compare these");
    gate.reached_by(1).await;
    chat.sends_document("a.txt", "one", "this");
    bot.has_heard_all().await;
    gate.open();
    chat.settles(|message| message.text == "Both are here.")
        .await;
    let seen = bot.model.requests().pop().unwrap().last_user();
    assert!(
        seen.ends_with("this\n[file: inbox/a.txt, TXT, 1 kB]"),
        "{seen}"
    );
    assert!(bot.workspace().join("inbox/a.txt").exists());
    bot.assert_clean();
}

async fn the_same_file_is_kept_once_and_another_of_its_name_beside_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for content in ["one", "one", "two"] {
        let said = bot.model.turn_requests().len();
        chat.sends_document("list.txt", content, "here");
        eventually("it is answered", || {
            bot.model.turn_requests().len() == said + 1
        })
        .await;
        chat.hears().await;
    }
    let turns = bot.model.turn_requests();
    let named: Vec<bool> = turns
        .iter()
        .map(|turn| turn.last_user().contains("inbox/list.txt"))
        .collect();
    assert_eq!(named, [true, true, false]);
    let inbox = bot.workspace().join("inbox");
    assert_eq!(std::fs::read(inbox.join("list.txt")).unwrap(), b"one");
    assert_eq!(std::fs::read(inbox.join("list-2.txt")).unwrap(), b"two");
    assert_eq!(std::fs::read_dir(&inbox).unwrap().count(), 2);
    bot.assert_clean();
}

async fn a_file_of_somebody_else_in_a_group_is_not_touched(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Workshop");
    let group = group.with(&bot.bob).with(&bot.ann);
    group
        .with(&bot.bob)
        .sends_document("plan.pdf", PDF, "for Eve");
    group.says("@sayso_bot what is new?");
    group.hears().await;
    insta::assert_snapshot!(bot.model.turn_requests()[0].last_user(), @r"
    [said in the group meanwhile, not addressed to you]
    Bob: for Eve
      [attached file `plan.pdf`, 1 kB]
    [addressed to you]
    Ann: what is new?
    ");
    assert!(!bot.workspace().join("inbox").exists());
    bot.assert_clean();
}

async fn files_go_when_their_person_is_erased(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.sends_document("diary.txt", "dear diary", "keep this");
    chat.hears().await;
    let workspace = bot.workspace();
    assert!(workspace.join("inbox/diary.txt").exists());
    chat.says("/forget everything");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Erase everything").await;
    eventually("the files are gone", || !workspace.exists()).await;
    bot.has_noted("SELECT 'gone' WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE files IS NOT NULL)")
        .await;
    bot.assert_clean();
}

/// A file that is one byte too large, on both platforms.
fn film() -> Vec<u8> {
    vec![0; 20 * 1024 * 1024 + 1]
}

async fn row60_a_file_that_is_too_large_is_one_message_without_a_model(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    chat.sends_document("film.mp4", film(), "");
    chat.hears().await;
    bot.has_said_all().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: <document film.mp4>
    Sayso: film.mp4 is over 20 MB, the most I can receive here.
    ");
    assert!(bot.model.requests().is_empty());
    chat.says("what was that?");
    chat.hears_with(|message| message.text.contains("what was that?"))
        .await;
    let asked = bot.model.turn_requests().pop().unwrap();
    assert!(asked.mentions("`film.mp4` is over 20 MB"));
    bot.assert_clean();
}

async fn row60_with_words_the_request_runs_and_its_answer_begins_with_it(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.model.says("Tell me what it shows, then.");
    chat.sends_document("film.mp4", film(), "what happens in it?");
    chat.hears().await;
    bot.has_said_all().await;
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: <document film.mp4> what happens in it?
    Sayso: film.mp4 is over 20 MB, the most I can receive here.

      Tell me what it shows, then.
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn a_file_is_fetched_again_when_sayso_is_killed_meanwhile() {
    let mut bot = TestBot::open().await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.telegram.fail_next("getFile", Fault::Hold(gate.clone()));
    chat.sends_document("report.pdf", PDF, "what is in it?");
    gate.reached_by(1).await;
    bot.crash().await;
    chat.hears().await;
    let turns = bot.model.turn_requests();
    assert_eq!(turns.len(), 1);
    assert!(turns[0].last_user().contains("inbox/report.pdf"));
    let inbox = bot.workspace().join("inbox");
    let kept: Vec<_> = std::fs::read_dir(inbox)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(kept, ["report.pdf"]);
    bot.assert_clean();
}

#[tokio::test]
async fn what_does_not_come_is_said_to_both_and_the_turn_goes_on() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    let refusal = Fault::Refuse {
        code: 400,
        description: "Bad Request: wrong file_id or the file is temporarily unavailable".to_owned(),
    };
    bot.telegram.fail_next("getFile", refusal);
    bot.model.says("Please send it again.");
    chat.sends_document("report.pdf", PDF, "what is in it?");
    chat.hears_with(|message| message.text.ends_with("\n\nPlease send it again."))
        .await;
    chat.sends_document("film.mkv", vec![0; 20 * 1024 * 1024 + 1], "and this?");
    chat.hears_with(|message| message.text.contains("and this?"))
        .await;
    assert_eq!(bot.telegram.count("getFile"), 1);
    insta::assert_snapshot!(chat.transcript(), @r"
    Ann: <document report.pdf> what is in it?
    Sayso: report.pdf cannot be fetched (any more). Please send it again.

      Please send it again.
    Ann: <document film.mkv> and this?
    Sayso: film.mkv is over 20 MB, the most I can receive here.

      ok: and this?
      [file film.mkv is not here: it is larger than 20 MB; the person was informed]
    ");
    let first = bot.model.turn_requests()[0].last_user();
    insta::assert_snapshot!(first, @r"
    what is in it?
    [file `report.pdf` is not here: it cannot be fetched there (any more), so it has to be sent again; the person was informed]
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn a_name_cannot_lead_anywhere_or_look_like_another() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    chat.sends_document("../../evil\u{202e}fdp.sh", "#!/bin/sh", "look");
    chat.hears().await;
    let seen = bot.model.turn_requests()[0].last_user();
    assert!(
        seen.ends_with("[file: inbox/evil_fdp.sh, SH, 1 kB]"),
        "{seen}"
    );
    assert!(bot.workspace().join("inbox/evil_fdp.sh").exists());
    bot.assert_clean();
}
