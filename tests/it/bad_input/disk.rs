//! Disks without room: the operator reads why, the platform is not told that a message was taken,
//! and when there is room again nothing is lost.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use sayso_fakes::{Answer, Gate};

use crate::platform::Platform;
use crate::test_bot::{TestBot, found};

/// A small disk of its own, mounted until it is dropped.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts it, where this machine lets us.
    pub fn mount(place: &Path) -> Option<Self> {
        std::fs::create_dir(place).unwrap();
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"])
            .arg(place);
        mount
            .output()
            .ok()?
            .status
            .success()
            .then(|| Self(place.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // A process that is killed at the end of a test may still be there.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// A bot in which everybody is heard, and routing costs no call.
async fn open_to_all() -> TestBot {
    let everybody = Platform::Telegram.everybody();
    TestBot::closed(&[("AGENT__ROUTING", "off"), ("ACCESS__ALLOW", everybody)]).await
}

/// Has the database made while there is room: what the first start writes is not what is tried.
async fn begin(bot: &mut TestBot) {
    bot.start();
    bot.listens().await;
    bot.stop().await;
}

/// Says so much that there is no more room for it, and returns how many messages that took.
///
/// Who speaks fast is turned away after 30 messages, so twenty people speak in turn.
async fn fill_up(bot: &TestBot) -> usize {
    let people = (1..=20).map(|number| bot.person(number, "Someone"));
    let chats: Vec<_> = people.map(|person| bot.direct_with(&person)).collect();
    let long = "fill ".repeat(700);
    for (sent, chat) in (1..=500).zip(chats.iter().cycle()) {
        chat.says(&format!("{sent} {long}"));
        let is_full = found(|| {
            let is_full = bot.log().contains("event not stored");
            (is_full || bot.telegram.unconfirmed() == 0).then_some(is_full)
        });
        if is_full
            .await
            .unwrap_or_else(|| panic!("nothing happens:\n{}", bot.log()))
        {
            assert!(
                bot.telegram.unconfirmed() > 0,
                "a message was taken and is not stored"
            );
            return sent;
        }
    }
    panic!("there was room for everything");
}

/// Waits until the last of the messages has reached the model, and checks that none is missing.
async fn assert_nothing_lost(bot: &TestBot, sent: usize) {
    let all = found(|| (bot.telegram.unconfirmed() == 0).then_some(())).await;
    assert!(all.is_some(), "not everything is stored:\n{}", bot.log());
    let last = format!("{sent} fill");
    let answered = found(|| {
        let requests = bot.model.requests();
        requests
            .iter()
            .any(|request| request.mentions(&last))
            .then_some(())
    });
    assert!(
        answered.await.is_some(),
        "the last message is not answered:\n{}",
        bot.log()
    );
    let heard = bot
        .rows("SELECT substr(said, 1, instr(said, ' ') - 1) FROM inbox ORDER BY id")
        .await;
    let expected: Vec<String> = (1..=sent).map(|number| number.to_string()).collect();
    assert_eq!(heard, expected);
}

#[tokio::test]
async fn full_disk_loses_nothing() {
    let mut bot = open_to_all().await;
    let Some(_disk) = SmallDisk::mount(&bot.data()) else {
        println!("nothing may be mounted here: `files_that_cannot_grow_lose_nothing` stands in");
        return;
    };
    begin(&mut bot).await;
    let filler = bot.data().join("filler");
    std::fs::write(&filler, vec![0; 14 * 1024 * 1024]).unwrap();
    bot.start();
    let sent = fill_up(&bot).await;
    bot.logs("the disk is full").await;
    std::fs::remove_file(filler).unwrap();
    assert_nothing_lost(&bot, sent).await;
}

/// Takes all the room that there is.
pub fn fill(filler: &Path) {
    use std::io::Write as _;
    let mut file = std::fs::File::create(filler).unwrap();
    while file.write_all(&[0; 512]).is_ok() {}
}

#[tokio::test]
async fn turn_that_meets_a_full_disk_again_and_again_is_answered_when_there_is_room() {
    let mut bot = TestBot::closed(&[("AGENT__ROUTING", "off")]).await;
    let Some(_disk) = SmallDisk::mount(&bot.data()) else {
        println!("nothing may be mounted here");
        return;
    };
    let gates: Vec<Gate> = (0..4).map(|_| Gate::new()).collect();
    let (held, asked) = (gates.clone(), AtomicUsize::new(0));
    bot.model.when(move |_| {
        let answer = Answer::text(
            (0..5_000).fold("done".to_owned(), |text, at| text + &format!(" {at:05}")),
        );
        Some(match held.get(asked.fetch_add(1, Ordering::SeqCst)) {
            Some(gate) => answer.held_by(gate),
            None => answer,
        })
    });
    bot.start();
    let chat = bot.direct();
    chat.says("do it");
    let filler = bot.data().join("filler");
    // Each start of the turn finds room, and none is left when its answer is to be written.
    for (tries, gate) in gates.iter().enumerate() {
        gate.reached_by(1).await;
        fill(&filler);
        gate.open();
        let failed = || {
            let failures = bot
                .log()
                .matches("turn interrupted by a store failure")
                .count();
            (failures > tries).then_some(())
        };
        assert!(found(failed).await.is_some(), "{}", bot.log());
        std::fs::remove_file(&filler).unwrap();
    }
    let answer = chat
        .hears_with(|message| message.text.starts_with("done"))
        .await;
    assert!(answer.text.contains(" 00001 "), "{answer}");
    let texts: Vec<String> = chat
        .messages()
        .into_iter()
        .map(|message| message.text)
        .collect();
    assert!(
        !texts
            .iter()
            .any(|text| text.contains("interrupted three times")),
        "{texts:?}"
    );
}

#[tokio::test]
async fn files_that_cannot_grow_lose_nothing() {
    let mut bot = open_to_all().await;
    begin(&mut bot).await;
    // In blocks of 512 bytes, as POSIX has it.
    let limited = "trap '' XFSZ; ulimit -f 2048; exec \"$0\" \"$@\"";
    bot.start_under(&["sh", "-c", limited]);
    let sent = fill_up(&bot).await;
    bot.kill().await;
    bot.start();
    assert_nothing_lost(&bot, sent).await;
}
