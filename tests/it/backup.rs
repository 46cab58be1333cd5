//! Everything that is kept, in one file and back.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

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

/// Writes a backup anew as it was in its first form, which had no count.
fn in_first_form(whole: &[u8]) -> Vec<u8> {
    let mut old = tar::Builder::new(Vec::new());
    for entry in tar::Archive::new(whole).entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().into_owned();
        let mut header = entry.header().clone();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        match path.to_str().unwrap() {
            ".sayso-backup-count.json" => continue,
            ".sayso-backup.json" => {
                let mut manifest: Value = serde_json::from_slice(&bytes).unwrap();
                assert_eq!(manifest["form"], 2);
                manifest["form"] = json!(1);
                bytes = manifest.to_string().into_bytes();
                header.set_size(bytes.len() as u64);
            }
            _ => {}
        }
        old.append_data(&mut header, path, &*bytes).unwrap();
    }
    old.into_inner().unwrap()
}

#[tokio::test]
async fn a_backup_of_the_first_form_is_restored() {
    let house = lived_in().await;
    let file = house.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&house, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let old = in_first_form(&fs::read(&file).unwrap());
    fs::write(&file, old).unwrap();
    let data = house.path("elsewhere");
    let said = run(&house, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let kinds = "SELECT kind FROM journal ORDER BY rowid";
    let there = crate::house::rows_of(&data.join("sayso.db"), kinds).await;
    assert_eq!(there, house.rows(kinds).await);
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
        file.exists() || fs::metadata(&part).is_ok_and(|part| part.len() > 4096)
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

/// A command of Sayso without the right of root to read and write whatever is there.
fn without_privilege(house: &House, arguments: &[&str]) -> Option<tokio::process::Command> {
    let sayso = house.command();
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        let mut command = sayso;
        command.args(arguments);
        return Some(command);
    }
    let dropped = "--bounding-set=-dac_override,-dac_read_search";
    let tried = std::process::Command::new("setpriv")
        .args([dropped, "true"])
        .status();
    if !tried.is_ok_and(|tried| tried.success()) {
        return None;
    }
    let sayso = sayso.as_std();
    let mut command = tokio::process::Command::new("setpriv");
    command.arg(dropped).arg(sayso.get_program());
    command.args(arguments).env_clear();
    for (name, value) in sayso.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    command.current_dir(sayso.get_current_dir().unwrap_or(Path::new("/")));
    Some(command)
}

#[tokio::test]
async fn rights_that_let_nobody_in_or_write_keep_no_backup_from_being_made_and_restored() {
    let mut house = lived_in().await;
    house.stop().await;
    // As the module cache of Go is: nobody may write into its directories.
    let (fixed, closed) = (
        house.workspace().join("go/pkg/mod"),
        house.workspace().join("closed"),
    );
    let set = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::create_dir_all(&fixed).unwrap();
    fs::write(fixed.join("go.mod"), "module a").unwrap();
    set(&fixed, 0o555);
    fs::create_dir_all(&closed).unwrap();
    fs::write(closed.join("in.txt"), "in").unwrap();
    set(&closed, 0o000);

    let file = house.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let Some(mut backup) = without_privilege(&house, &["backup", &name]) else {
        return;
    };
    let said = backup.stdout(Stdio::piped()).output().await.unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    assert_eq!(said.status.code(), Some(0), "{text}");
    assert!(
        text.contains("cannot be read: `") && text.contains("closed`"),
        "{text}"
    );

    let moved = house.path("moved");
    fs::rename(house.data(), &moved).unwrap();
    // As a volume is: there already, empty, and not to be renamed.
    fs::create_dir(house.data()).unwrap();
    fs::create_dir(house.data().join("lost+found")).unwrap();
    house.set("DATA_DIR", &format!("{}/", house.data().display()));
    let mut restore = without_privilege(&house, &["restore", &name]).unwrap();
    let said = restore.stderr(Stdio::piped()).output().await.unwrap();
    let text = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(0), "{text}");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&fixed), mode(&closed)), (0o555, 0o000));
    assert_eq!(
        fs::read_to_string(fixed.join("go.mod")).unwrap(),
        "module a"
    );
    assert!(!house.data().join(".restoring").exists());
    // So that the house can be taken down.
    for closed in [
        &closed,
        &moved.join(closed.strip_prefix(house.data()).unwrap()),
    ] {
        set(closed, 0o700);
    }
    house.start();
    house.settles_in().await;
}

#[tokio::test]
async fn a_restore_that_is_killed_lets_nothing_start_and_the_next_one_begins_anew() {
    let house = lived_in().await;
    let large = fs::File::create(house.workspace().join("large.bin")).unwrap();
    large.set_len(256 * 1024 * 1024).unwrap();
    let file = house.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&house, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);

    let data = house.path("elsewhere");
    let mut restore = house.command();
    restore
        .args(["restore", &name])
        .env("SAYSO__DATA_DIR", &data);
    let mut restore = restore.spawn().unwrap();
    let beginning = data.join(".restoring/tree");
    eventually("its beginning", || {
        beginning.exists() || data.join("sayso.db").exists()
    })
    .await;
    let second = run(&house, &["restore", &name], Some(&data)).await;
    restore.kill().await.unwrap();
    // On a machine that was faster than the kill there is nothing more to see.
    if beginning.exists() {
        assert!(
            second.code == Some(1) && second.text.contains("in use by another"),
            "{}",
            second.text
        );
        let started = run(&house, &["run"], Some(&data)).await;
        assert!(
            started.code == Some(1) && started.text.contains("was cut short"),
            "{}",
            started.text
        );
        let said = run(&house, &["restore", &name], Some(&data)).await;
        assert_eq!(said.code, Some(0), "{}", said.text);
    }
    assert!(!data.join(".restoring").exists());
    assert_eq!(
        fs::metadata(data.join("sayso.db"))
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o600
    );
}

#[tokio::test]
async fn no_backup_holds_another_one_or_the_configuration() {
    let mut house = lived_in().await;
    let inside = house.data().join("all.tar").to_string_lossy().into_owned();
    let said = run(&house, &["backup", &inside], None).await;
    assert!(
        said.code == Some(1) && said.text.contains("would be in every later backup"),
        "{}",
        said.text
    );
    let written = house.data().join("sayso.toml");
    fs::write(&written, "language = \"en\"\n").unwrap();
    house.set_variable("SAYSO_CONFIG", &written.to_string_lossy());
    let mut name = String::new();
    for day in ["monday", "tuesday"] {
        let file = house.data().join(format!("backups/{day}.tar"));
        name = file.to_string_lossy().into_owned();
        let said = run(&house, &["backup", &name], None).await;
        assert_eq!(said.code, Some(0), "{}", said.text);
    }
    let data = house.path("elsewhere");
    let said = run(&house, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    assert!(!data.join("backups").exists() && !data.join("sayso.toml").exists());
    assert!(data.join("workspaces").exists());
}
