//! Everything that is kept, in one file and back.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::test_bot::{TestBot, eventually};

struct Said {
    code: Option<i32>,
    text: String,
}

async fn run(bot: &TestBot, arguments: &[&str], data: Option<&Path>) -> Said {
    let mut command = bot.command();
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

/// Has a bot in which something was said, and a file lies in the workspace.
async fn lived_in() -> TestBot {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    bot.model.says("Noted: the boiler.");
    chat.says("the boiler drips");
    chat.settles(|message| message.text == "Noted: the boiler.")
        .await;
    fs::write(bot.workspace().join("boiler.txt"), "drips").unwrap();
    bot
}

#[tokio::test]
async fn a_backup_of_a_running_sayso_is_another_one_that_remembers_the_same() {
    let mut bot = lived_in().await;
    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&bot, &["backup", &name], None).await;
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
    let said = run(&bot, &["backup", &name], None).await;
    assert!(
        said.code == Some(1) && said.text.contains("is there already"),
        "{}",
        said.text
    );
    assert_eq!(fs::read(&file).unwrap(), bytes);
    let said = run(&bot, &["restore", &name], None).await;
    assert!(
        said.code == Some(1) && said.text.contains("nothing is restored over it"),
        "{}",
        said.text
    );

    // The disk is lost, and the bot goes on.
    bot.kill().await;
    let workspace = bot.workspace().join("boiler.txt");
    fs::rename(bot.data(), bot.path("burnt")).unwrap();
    let said = run(&bot, &["restore", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    assert_eq!(
        fs::metadata(bot.data()).unwrap().permissions().mode() & 0o777,
        0o700
    );
    assert_eq!(fs::read_to_string(workspace).unwrap(), "drips");
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    bot.model.says("It still drips.");
    chat.says("and now?");
    chat.settles(|message| message.text == "It still drips.")
        .await;
    let asked = bot.model.requests().pop().unwrap();
    assert!(asked.body.to_string().contains("the boiler drips"));
}

#[tokio::test]
async fn what_is_no_whole_backup_is_restored_nowhere() {
    let bot = lived_in().await;
    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&bot, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let whole = fs::read(&file).unwrap();
    let data = bot.path("elsewhere");
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
        let said = run(&bot, &["restore", &name], Some(&data)).await;
        assert_eq!(said.code, Some(1), "{}", said.text);
        assert!(!data.exists() && !bot.path("elsewhere.restoring").exists());
    }
    fs::write(&file, &whole).unwrap();
    let said = run(&bot, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let kinds = "SELECT kind FROM journal ORDER BY rowid";
    let here = crate::test_bot::rows_of(&data.join("sayso.db"), kinds).await;
    assert_eq!(here, bot.rows(kinds).await);
    assert!(here.iter().any(|kind| kind == "ended"), "{here:?}");
}

/// Writes a backup anew, with each entry as `change` leaves it.
fn rewritten(
    whole: &[u8],
    mut change: impl FnMut(&str, &mut tar::Header, &mut Vec<u8>),
) -> Vec<u8> {
    let mut new = tar::Builder::new(Vec::new());
    for entry in tar::Archive::new(whole).entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().into_owned();
        let mut header = entry.header().clone();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        change(path.to_str().unwrap(), &mut header, &mut bytes);
        header.set_size(bytes.len() as u64);
        new.append_data(&mut header, path, &*bytes).unwrap();
    }
    new.into_inner().unwrap()
}

#[tokio::test]
async fn r11_a_backup_without_digests_is_refused_and_the_reason_is_said() {
    let bot = lived_in().await;
    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&bot, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let old = rewritten(&fs::read(&file).unwrap(), |path, _, bytes| {
        if path == ".sayso-backup.json" {
            let mut manifest: Value = serde_json::from_slice(bytes).unwrap();
            assert_eq!(manifest["form"], 3);
            manifest["form"] = json!(2);
            *bytes = manifest.to_string().into_bytes();
        }
    });
    fs::write(&file, old).unwrap();
    let data = bot.path("elsewhere");
    let said = run(&bot, &["restore", &name], Some(&data)).await;
    assert!(
        said.code == Some(1) && said.text.contains("no digests of their files"),
        "{}",
        said.text
    );
    assert!(!data.exists());
}

#[tokio::test]
async fn r11_a_changed_byte_in_any_file_is_refused_with_its_name() {
    let bot = lived_in().await;
    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&bot, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let whole = fs::read(&file).unwrap();
    let data = bot.path("elsewhere");
    let changed = rewritten(&whole, |path, _, bytes| {
        if path.ends_with("boiler.txt") {
            bytes[0] ^= 1;
        }
    });
    let closed = rewritten(&whole, |path, header, _| {
        if path.ends_with("boiler.txt") {
            header.set_mode(0o777);
        }
    });
    for damaged in [changed, closed] {
        fs::write(&file, damaged).unwrap();
        let said = run(&bot, &["restore", &name], Some(&data)).await;
        assert!(
            said.code == Some(1) && said.text.contains("boiler.txt` was changed or is damaged"),
            "{}",
            said.text
        );
        assert!(!data.exists());
    }
    fs::write(&file, rewritten(&whole, |_, _, _| {})).unwrap();
    let said = run(&bot, &["restore", &name], Some(&data)).await;
    assert!(
        said.code == Some(0) && said.text.contains("files, all checked"),
        "{}",
        said.text
    );
}

#[tokio::test]
async fn r6_files_with_secrets_of_the_configuration_are_in_no_backup_and_are_named() {
    let mut bot = lived_in().await;
    bot.stop().await;
    let secret = "s3cr3t-0f-th3-c0nf1gur4t10n";
    for place in ["search.key", "linked.key", ".env"] {
        let path = bot.data().join(place);
        if place == "linked.key" {
            fs::create_dir_all(bot.data().join("keys")).unwrap();
            fs::write(bot.data().join("keys/real"), secret).unwrap();
            std::os::unix::fs::symlink("keys/real", path).unwrap();
        } else {
            fs::write(path, secret).unwrap();
        }
    }
    fs::create_dir_all(bot.data().join("tmp")).unwrap();
    fs::write(bot.data().join("tmp/half"), secret).unwrap();
    for (name, place) in [("A", "search.key"), ("B", "linked.key")] {
        let path = bot.data().join(place).display().to_string();
        bot.set(&format!("SECRETS__{name}__VALUE"), &format!("file:{path}"));
    }
    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&bot, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let named = "`.env`, `keys/real`, `linked.key`, `search.key`";
    assert!(said.text.contains(named), "{}", said.text);
    let bytes = fs::read(&file).unwrap();
    let found = bytes
        .windows(secret.len())
        .any(|window| window == secret.as_bytes());
    assert!(!found);

    let data = bot.path("elsewhere");
    let said = run(&bot, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    assert!(
        said.text.contains("Not in the backup") && said.text.contains(named),
        "{}",
        said.text
    );
    assert!(!data.join("search.key").exists() && !data.join("tmp").exists());
}

#[tokio::test]
async fn r7_holes_stay_holes_in_a_backup_and_in_what_is_restored() {
    use std::os::unix::fs::FileExt as _;
    let bot = lived_in().await;
    for (name, data) in [("empty.img", &b""[..]), ("disk.img", b"at the end")] {
        let large = fs::File::create(bot.workspace().join(name)).unwrap();
        large.set_len(3 << 30).unwrap();
        large.write_all_at(data, (3 << 30) - 5000).unwrap();
    }
    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&bot, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let size = fs::metadata(&file).unwrap().len();
    assert!(size < 64 << 20, "{size}");

    let data = bot.path("elsewhere");
    let said = run(&bot, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let workspace = bot.workspace();
    let workspace = data.join(workspace.strip_prefix(bot.data()).unwrap());
    for (name, expected) in [("empty.img", &[0; 10][..]), ("disk.img", b"at the end")] {
        let restored = fs::File::open(workspace.join(name)).unwrap();
        let there = restored.metadata().unwrap();
        assert_eq!(there.len(), 3 << 30);
        assert!(there.blocks() * 512 < 64 << 20, "{}", there.blocks());
        let mut read = [0; 10];
        restored.read_exact_at(&mut read, (3 << 30) - 5000).unwrap();
        assert_eq!(read, expected);
    }
}

#[tokio::test]
async fn r12_rights_are_the_owners_alone_and_links_stay_inside() {
    let bot = lived_in().await;
    let (open, closed) = (
        bot.workspace().join("open.sh"),
        bot.workspace().join("shared"),
    );
    let set = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::write(&open, "echo hello").unwrap();
    set(&open, 0o4777);
    fs::create_dir(&closed).unwrap();
    set(&closed, 0o777);
    for (place, target) in [
        ("shared/inside", "../boiler.txt"),
        ("root", "/"),
        ("above", "../../../outside"),
        ("shared/around", "inside/../../../../.."),
    ] {
        std::os::unix::fs::symlink(target, bot.workspace().join(place)).unwrap();
    }
    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&bot, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let data = bot.path("elsewhere");
    let said = run(&bot, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    let there = bot.workspace();
    let there = data.join(there.strip_prefix(bot.data()).unwrap());
    let mode = |place: &str| {
        let place = fs::metadata(there.join(place)).unwrap();
        place.permissions().mode() & 0o7777
    };
    assert_eq!((mode("open.sh"), mode("shared")), (0o700, 0o700));
    assert_eq!(mode("boiler.txt") & 0o077, 0);
    assert_eq!(
        fs::read_to_string(there.join("shared/inside")).unwrap(),
        "drips"
    );
    for place in ["root", "above", "shared/around"] {
        assert!(there.join(place).symlink_metadata().is_err(), "{place}");
        assert!(said.text.contains(&format!("{place}`")), "{}", said.text);
    }
}

/// A file so large that a backup is still being written, or restored, when it is killed.
fn large_file(bot: &TestBot) -> std::path::PathBuf {
    let path = bot.workspace().join("large.bin");
    fs::write(&path, vec![0x5a; 256 * 1024 * 1024]).unwrap();
    path
}

#[tokio::test]
async fn a_backup_that_is_killed_leaves_no_file_of_its_name_and_the_next_one_is_whole() {
    let bot = lived_in().await;
    let large = large_file(&bot);
    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let mut backup = bot.command().args(["backup", &name]).spawn().unwrap();
    let part = bot.path("all.tar.part");
    eventually("its beginning", || {
        file.exists() || fs::metadata(&part).is_ok_and(|part| part.len() > 4096)
    })
    .await;
    backup.kill().await.unwrap();
    // On a machine that was faster than the kill it is whole; it never is half of one.
    if file.exists() {
        let said = run(&bot, &["restore", &name], Some(&bot.path("fast"))).await;
        assert_eq!(said.code, Some(0), "{}", said.text);
        fs::remove_file(&file).unwrap();
    }
    fs::write(large, "small").unwrap();
    let said = run(&bot, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    assert!(!part.exists() && !bot.path("all.tar.part-db").exists());
    let data = bot.path("elsewhere");
    let said = run(&bot, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
}

/// A command of Sayso without the right of root to read and write whatever is there.
fn without_privilege(bot: &TestBot, arguments: &[&str]) -> Option<tokio::process::Command> {
    let sayso = bot.command();
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
async fn rights_that_let_no_one_in_or_write_keep_no_backup_from_being_made_and_restored() {
    let mut bot = lived_in().await;
    bot.stop().await;
    // Like Go's module cache: its directories are read-only.
    let (fixed, closed) = (
        bot.workspace().join("go/pkg/mod"),
        bot.workspace().join("closed"),
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

    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let Some(mut backup) = without_privilege(&bot, &["backup", &name]) else {
        return;
    };
    let said = backup.stdout(Stdio::piped()).output().await.unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    assert_eq!(said.status.code(), Some(0), "{text}");
    assert!(
        text.contains("cannot be read: `") && text.contains("closed`"),
        "{text}"
    );

    let moved = bot.path("moved");
    fs::rename(bot.data(), &moved).unwrap();
    // As a volume is: there already, empty, and not to be renamed.
    fs::create_dir(bot.data()).unwrap();
    fs::create_dir(bot.data().join("lost+found")).unwrap();
    bot.set("DATA_DIR", &format!("{}/", bot.data().display()));
    let mut restore = without_privilege(&bot, &["restore", &name]).unwrap();
    let said = restore.stderr(Stdio::piped()).output().await.unwrap();
    let text = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(0), "{text}");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&fixed), mode(&closed)), (0o500, 0o000));
    assert_eq!(
        fs::read_to_string(fixed.join("go.mod")).unwrap(),
        "module a"
    );
    assert!(!bot.data().join(".restoring").exists());
    // So that the bot can be removed.
    for closed in [
        &closed,
        &moved.join(closed.strip_prefix(bot.data()).unwrap()),
    ] {
        set(closed, 0o700);
    }
    bot.start();
    bot.settles_in().await;
}

#[tokio::test]
async fn a_restore_that_is_killed_lets_nothing_start_and_the_next_one_begins_anew() {
    let bot = lived_in().await;
    large_file(&bot);
    let file = bot.path("all.tar");
    let name = file.to_string_lossy().into_owned();
    let said = run(&bot, &["backup", &name], None).await;
    assert_eq!(said.code, Some(0), "{}", said.text);

    let data = bot.path("elsewhere");
    let mut restore = bot.command();
    restore
        .args(["restore", &name])
        .env("SAYSO__DATA_DIR", &data);
    let mut restore = restore.spawn().unwrap();
    let beginning = data.join(".restoring/tree");
    eventually("its beginning", || {
        beginning.exists() || data.join("sayso.db").exists()
    })
    .await;
    let second = run(&bot, &["restore", &name], Some(&data)).await;
    restore.kill().await.unwrap();
    // On a machine that was faster than the kill there is nothing more to see.
    if beginning.exists() {
        assert!(
            second.code == Some(1) && second.text.contains("in use by another"),
            "{}",
            second.text
        );
        let started = run(&bot, &["run"], Some(&data)).await;
        assert!(
            started.code == Some(1) && started.text.contains("was cut short"),
            "{}",
            started.text
        );
        let said = run(&bot, &["restore", &name], Some(&data)).await;
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
    let mut bot = lived_in().await;
    let inside = bot.data().join("all.tar").to_string_lossy().into_owned();
    let said = run(&bot, &["backup", &inside], None).await;
    assert!(
        said.code == Some(1) && said.text.contains("would be in every later backup"),
        "{}",
        said.text
    );
    let written = bot.data().join("sayso.toml");
    fs::write(&written, "language = \"en\"\n").unwrap();
    bot.set_variable("SAYSO_CONFIG", &written.to_string_lossy());
    let mut name = String::new();
    for day in ["monday", "tuesday"] {
        let file = bot.data().join(format!("backups/{day}.tar"));
        name = file.to_string_lossy().into_owned();
        let said = run(&bot, &["backup", &name], None).await;
        assert_eq!(said.code, Some(0), "{}", said.text);
    }
    let data = bot.path("elsewhere");
    let said = run(&bot, &["restore", &name], Some(&data)).await;
    assert_eq!(said.code, Some(0), "{}", said.text);
    assert!(!data.join("backups").exists() && !data.join("sayso.toml").exists());
    assert!(data.join("workspaces").exists());
}
