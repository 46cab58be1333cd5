//! Disks without room: the operator reads why, the platform is not told that a message was taken,
//! and when there is room again nothing is lost.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use sayso_fakes::{Answer, Gate};

use crate::house::{House, found};
use crate::platform::Platform;

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

/// A house in which everybody is heard, and routing costs no call.
async fn open_to_all() -> House {
    let everybody = Platform::Telegram.everybody();
    House::closed(&[("AGENT__ROUTING", "off"), ("ACCESS__ALLOW", everybody)]).await
}

/// Has the database made while there is room: what the first start writes is not what is tried.
async fn begin(house: &mut House) {
    house.start();
    house.listens().await;
    house.stop().await;
}

/// Says so much that there is no more room for it, and returns how many messages that took.
///
/// Who speaks fast is turned away after 30 messages, so twenty people speak in turn.
async fn fill_up(house: &House) -> usize {
    let people = (1..=20).map(|number| house.person(number, "Someone"));
    let chats: Vec<_> = people.map(|person| house.direct_with(&person)).collect();
    let long = "fill ".repeat(700);
    for (sent, chat) in (1..=500).zip(chats.iter().cycle()) {
        chat.says(&format!("{sent} {long}"));
        let is_full = found(|| {
            let is_full = house.log().contains("an event could not be stored");
            (is_full || house.telegram.unconfirmed() == 0).then_some(is_full)
        });
        if is_full
            .await
            .unwrap_or_else(|| panic!("nothing happens:\n{}", house.log()))
        {
            assert!(
                house.telegram.unconfirmed() > 0,
                "a message was taken and is not stored"
            );
            return sent;
        }
    }
    panic!("there was room for everything");
}

/// Waits until the last of the messages has reached the model, and checks that none is missing.
async fn assert_nothing_lost(house: &House, sent: usize) {
    let all = found(|| (house.telegram.unconfirmed() == 0).then_some(())).await;
    assert!(all.is_some(), "not everything is stored:\n{}", house.log());
    let last = format!("{sent} fill");
    let answered = found(|| {
        let requests = house.model.requests();
        requests
            .iter()
            .any(|request| request.mentions(&last))
            .then_some(())
    });
    assert!(
        answered.await.is_some(),
        "the last message is not answered:\n{}",
        house.log()
    );
    let heard = house
        .rows("SELECT substr(said, 1, instr(said, ' ') - 1) FROM inbox ORDER BY id")
        .await;
    let expected: Vec<String> = (1..=sent).map(|number| number.to_string()).collect();
    assert_eq!(heard, expected);
}

#[tokio::test]
async fn full_disk_loses_nothing() {
    let mut house = open_to_all().await;
    let Some(_disk) = SmallDisk::mount(&house.data()) else {
        println!("nothing may be mounted here: `files_that_cannot_grow_lose_nothing` stands in");
        return;
    };
    begin(&mut house).await;
    let filler = house.data().join("filler");
    std::fs::write(&filler, vec![0; 14 * 1024 * 1024]).unwrap();
    house.start();
    let sent = fill_up(&house).await;
    house.logs("the disk is full").await;
    std::fs::remove_file(filler).unwrap();
    assert_nothing_lost(&house, sent).await;
}

/// Takes all the room that there is.
pub fn fill(filler: &Path) {
    use std::io::Write as _;
    let mut file = std::fs::File::create(filler).unwrap();
    while file.write_all(&[0; 512]).is_ok() {}
}

#[tokio::test]
async fn turn_that_meets_a_full_disk_again_and_again_is_answered_when_there_is_room() {
    let mut house = House::closed(&[("AGENT__ROUTING", "off")]).await;
    let Some(_disk) = SmallDisk::mount(&house.data()) else {
        println!("nothing may be mounted here");
        return;
    };
    let gates: Vec<Gate> = (0..4).map(|_| Gate::new()).collect();
    let (held, asked) = (gates.clone(), AtomicUsize::new(0));
    house.model.when(move |_| {
        let answer = Answer::text(
            (0..5_000).fold("done".to_owned(), |text, at| text + &format!(" {at:05}")),
        );
        Some(match held.get(asked.fetch_add(1, Ordering::SeqCst)) {
            Some(gate) => answer.held_by(gate),
            None => answer,
        })
    });
    house.start();
    let chat = house.direct();
    chat.says("do it");
    let filler = house.data().join("filler");
    // Each start of the turn finds room, and none is left when its answer is to be written.
    for (tries, gate) in gates.iter().enumerate() {
        gate.reached_by(1).await;
        fill(&filler);
        gate.open();
        let failed = || {
            let failures = house.log().matches("a turn cannot go on").count();
            (failures > tries).then_some(())
        };
        assert!(found(failed).await.is_some(), "{}", house.log());
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
    let mut house = open_to_all().await;
    begin(&mut house).await;
    // In blocks of 512 bytes, as POSIX has it.
    let limited = "trap '' XFSZ; ulimit -f 2048; exec \"$0\" \"$@\"";
    house.start_under(&["sh", "-c", limited]);
    let sent = fill_up(&house).await;
    house.kill().await;
    house.start();
    assert_nothing_lost(&house, sent).await;
}
