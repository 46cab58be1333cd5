//! Everything that is kept, in one file and back.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use crate::house::{House, eventually};

struct Said {
    code: Option<i32>,
    text: String,
}

async fn run(house: &House, arguments: &[&str], data: Option<&Path>) -> Said {
    let mut command = house.command();
    if let Some(data) = data {
        command.env("SAYSO__DATA_DIR", data);
    }
    command
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let output = command.output().await.unwrap();
    let texts = [output.stdout, output.stderr].concat();
    Said {
        code: output.status.code(),
        text: String::from_utf8(texts).unwrap(),
    }
}

/// Has a house in which something was said, and a file lies in the workspace.
async fn lived_in() -> House {
    let house = House::open().await;
    let chat = house.direct();
    house.model.says("Noted: the boiler.");
    chat.says("the boiler drips");
    chat.settles(|message| message.text == "Noted: the boiler.")
        .await;
    fs::write(house.workspace().join("boiler.txt"), "drips").unwrap();
    house
}

#[tokio::test]
async fn a_backup_of_a_running_sayso_is_another_one_that_remembers_the_same() {
    let mut house = lived_in().await;
    let file = house.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&house, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let beside: Vec<_> = fs::read_dir(file.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("all.tar"))
        .collect();
    assert_eq!(beside, ["all.tar"]);

    // It takes no other file's place, and nothing is restored over what is there.
    let bytes = fs::read(&file).unwrap();
    let said = run(&house, &["backup", &name], None).await;
    assert!(
        said.code == Some(1) && said.text.contains("is there already"),
        "{}",
        said.text
    );
    assert_eq!(fs::read(&file).unwrap(), bytes);
    let said = run(&house, &["restore", &name], None).await;
    assert!(
        said.code == Some(1) && said.text.contains("nothing is restored over it"),
        "{}",
        said.text
    );

    // The house burns down, and goes on.
    house.kill().await;
    let workspace = house.workspace().join("boiler.txt");
    fs::rename(house.data(), house.path("burnt")).unwrap();
    let said = run(&house, &["restore", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    assert_eq!(
        fs::metadata(house.data()).unwrap().permissions().mode() & 0o777,
        0o700
    );
    assert_eq!(fs::read_to_string(workspace).unwrap(), "drips");
    house.start();
    house.settles_in().await;
    let chat = house.direct();
    house.model.says("It still drips.");
    chat.says("and now?");
    chat.settles(|message| message.text == "It still drips.")
        .await;
    let asked = house.model.requests().pop().unwrap();
    assert!(asked.body.to_string().contains("the boiler drips"));
}

#[tokio::test]
async fn what_is_no_whole_backup_is_restored_nowhere() {
    let house = lived_in().await;
    let file = house.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&house, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let whole = fs::read(&file).unwrap();
    let data = house.path("elsewhere");
    let mut changed = whole.clone();
    let found = changed
        .windows(16)
        .position(|window| window == b"SQLite format 3\0");
    changed[found.unwrap() + 5000] ^= 0x5a;
    for damaged in [
        &whole[..whole.len() / 2],
        &changed,
        b"no backup at all",
        b"",
    ] {
        fs::write(&file, damaged).unwrap();
        let said = run(&house, &["restore", &name], Some(&data)).await;
        assert_eq!(said.code, Some(1), "{}", said.text);
        assert!(!data.exists() && !house.path("elsewhere.restoring").exists());
    }
    fs::write(&file, &whole).unwrap();
    let said = run(&house, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let kinds = "SELECT kind FROM journal ORDER BY rowid";
    let here = crate::house::rows_of(&data.join("sayso.db"), kinds).await;
    assert_eq!(here, house.rows(kinds).await);
    assert!(here.iter().any(|kind| kind == "ended"), "{here:?}");
}

#[tokio::test]
async fn a_backup_that_is_killed_leaves_no_file_of_its_name_and_the_next_one_is_whole() {
    let house = lived_in().await;
    // So large that it is still being written when it is killed.
    let large = fs::File::create(house.workspace().join("large.bin")).unwrap();
    large.set_len(256 * 1024 * 1024).unwrap();
    let file = house.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let mut backup = house.command().args(["backup", &name]).spawn().unwrap();
    let part = house.path("all.tar.part");
    eventually("its beginning", || {
        fs::metadata(&part).is_ok_and(|part| part.len() > 4096)
    })
    .await;
    backup.kill().await.unwrap();
    // On a machine that was faster than the kill it is whole; it never is half of one.
    if file.exists() {
        let said = run(&house, &["restore", &name], Some(&house.path("fast"))).await;
        assert_eq!(said.code, Some(0), "{}", said.text);
        fs::remove_file(&file).unwrap();
    }
    large.set_len(1).unwrap();
    let said = run(&house, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    assert!(!part.exists() && !house.path("all.tar.part-db").exists());
    let data = house.path("elsewhere");
    let said = run(&house, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
}
