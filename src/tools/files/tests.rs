//! What the file tools give, and that nothing leads them out of the workspace.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use sayso_core::transcript::ToolOutcome;
use sayso_policy::{Action, Reach};
use serde_json::{Value, json};

use super::{FileRead, FileWrite, ListDir};
use crate::testing::{call, call_context, cleared, limits, redactor, run, scope};
use crate::{Tool, Toolbox};

fn toolbox() -> Toolbox {
    let tools: Vec<Box<dyn Tool>> = vec![
        Box::new(FileRead::new(limits())),
        Box::new(FileWrite::new()),
        Box::new(ListDir::new()),
    ];
    Toolbox::new(tools, limits(), redactor())
}

async fn told(workspace: &Path, tool: &str, arguments: Value) -> String {
    let ran = run(&toolbox(), call(tool, arguments), &call_context(workspace)).await;
    ran.outcome.for_model()
}

async fn read(workspace: &Path, path: &str) -> String {
    told(workspace, "file_read", json!({ "path": path })).await
}

async fn write(workspace: &Path, path: &str, content: &str) -> String {
    let arguments = json!({"path": path, "content": content});
    told(workspace, "file_write", arguments).await
}

/// Runs a call as if the policy had seen a harmless file, as after a swap.
async fn run_unseen(workspace: &Path, tool: &str, arguments: Value) -> String {
    let toolbox = toolbox();
    let harmless = call("list_dir", json!({}));
    toolbox.inspect(&harmless, &scope(workspace)).await.unwrap();
    let cleared = cleared(call(tool, arguments));
    let ran = toolbox.run(cleared, &call_context(workspace)).await;
    ran.outcome.for_model()
}

#[tokio::test]
async fn a_file_is_read_and_written_whole() {
    let workspace = tempfile::tempdir().unwrap();
    let told = write(workspace.path(), "deep/er/notes.md", "你好\n").await;
    assert_eq!(told, "wrote 7 bytes to deep/er/notes.md");
    assert_eq!(read(workspace.path(), "deep/er/notes.md").await, "你好\n");
    assert_eq!(
        read(workspace.path(), "./deep/../deep/er/notes.md").await,
        "你好\n"
    );
    write(workspace.path(), "deep/er/notes.md", "").await;
    assert_eq!(
        read(workspace.path(), "deep/er/notes.md").await,
        "(no output)"
    );
    assert_eq!(
        fs::read_dir(workspace.path().join("deep/er"))
            .unwrap()
            .count(),
        1
    );
}

#[tokio::test]
async fn a_written_file_keeps_its_mode() {
    let workspace = tempfile::tempdir().unwrap();
    let script = workspace.path().join("run.sh");
    fs::write(&script, "old").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o750)).unwrap();
    write(workspace.path(), "run.sh", "new").await;
    assert_eq!(fs::read_to_string(&script).unwrap(), "new");
    assert_eq!(
        fs::metadata(&script).unwrap().permissions().mode() & 0o7777,
        0o750
    );
}

#[tokio::test]
async fn new_content_does_not_run_as_somebody_else() {
    let workspace = tempfile::tempdir().unwrap();
    let script = workspace.path().join("run.sh");
    fs::write(&script, "old").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o6755)).unwrap();
    write(workspace.path(), "run.sh", "new").await;
    let mode = fs::metadata(&script).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
}

#[tokio::test]
async fn a_write_does_not_reach_through_a_second_name_of_a_file() {
    let workspace = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let original = outside.path().join("original");
    fs::write(&original, "old").unwrap();
    fs::hard_link(&original, workspace.path().join("linked")).unwrap();
    write(workspace.path(), "linked", "new").await;
    assert_eq!(read(workspace.path(), "linked").await, "new");
    assert_eq!(fs::read_to_string(&original).unwrap(), "old");
}

#[tokio::test]
async fn a_long_file_is_read_in_parts_that_join_up() {
    let workspace = tempfile::tempdir().unwrap();
    let content = "一二三 abc\n".repeat(400);
    fs::write(workspace.path().join("long"), &content).unwrap();
    let (mut offset, mut joined) = (0, String::new());
    loop {
        let arguments = json!({"path": "long", "offset": offset, "limit": 1001});
        let part = told(workspace.path(), "file_read", arguments).await;
        let Some((text, note)) = part.rsplit_once("\n[bytes ") else {
            joined.push_str(&part);
            break;
        };
        joined.push_str(text);
        let next = note.rsplit_once("offset ").unwrap().1.trim_end_matches(']');
        offset = next.parse().unwrap();
    }
    assert_eq!(joined, content);
}

#[tokio::test]
async fn a_read_is_bounded_and_says_how_to_read_on() {
    let workspace = tempfile::tempdir().unwrap();
    fs::write(workspace.path().join("long"), "x".repeat(5000)).unwrap();
    let default = read(workspace.path(), "long").await;
    let note = "\n[bytes 0 to 1000 of 5000; read on with offset 1000]";
    assert_eq!(default, format!("{}{note}", "x".repeat(1000)));
    let most = json!({"path": "long", "limit": 2000});
    assert!(
        told(workspace.path(), "file_read", most)
            .await
            .starts_with(&"x".repeat(2000))
    );
    let too_much = json!({"path": "long", "limit": 2001});
    insta::assert_snapshot!(told(workspace.path(), "file_read", too_much).await, @r#"
    [error] E_INVALID_ARGS: bad arguments for `file_read`: `limit`: 2001 is not allowed, 1 to 2000 is
    expected: {"path": string, "offset"?: integer, "limit"?: integer}
    "#);
    let past = json!({"path": "long", "offset": 5001});
    insta::assert_snapshot!(told(workspace.path(), "file_read", past).await, @"[failed] long: offset 5001 is past the end, which is at 5000");
}

#[tokio::test]
async fn a_binary_file_is_described_and_odd_text_is_shown_with_a_note() {
    let workspace = tempfile::tempdir().unwrap();
    fs::write(workspace.path().join("binary"), b"\x7fELF\0\0\x01").unwrap();
    insta::assert_snapshot!(read(workspace.path(), "binary").await, @"[a binary file of 7 bytes; it begins with 7f 45 4c 46 00 00 01]");
    fs::write(workspace.path().join("cut"), b"caf\xc3\xa9 \xc3").unwrap();
    insta::assert_snapshot!(read(workspace.path(), "cut").await, @"
    café �
    [not UTF-8: bytes that cannot be read are shown as �]
    ");
}

#[tokio::test]
async fn a_directory_is_listed_with_kinds_and_sizes() {
    let workspace = tempfile::tempdir().unwrap();
    assert_eq!(
        told(workspace.path(), "list_dir", json!({})).await,
        "(empty)"
    );
    fs::create_dir(workspace.path().join("sub")).unwrap();
    fs::write(workspace.path().join("a\nb"), "12345").unwrap();
    symlink("/etc/passwd", workspace.path().join("link")).unwrap();
    mkfifo(&workspace.path().join("pipe"), Mode::S_IRWXU).unwrap();
    insta::assert_snapshot!(told(workspace.path(), "list_dir", json!({"path": "."})).await, @r#"
    a\nb  5
    link -> /etc/passwd
    pipe  (special)
    sub/
    "#);
    assert_eq!(
        told(workspace.path(), "list_dir", json!({"path": "sub"})).await,
        "(empty)"
    );
}

#[tokio::test]
async fn more_entries_than_are_listed_are_counted() {
    let workspace = tempfile::tempdir().unwrap();
    for number in 0..503 {
        fs::write(workspace.path().join(number.to_string()), "").unwrap();
    }
    let roomy = Toolbox::new(
        vec![Box::new(ListDir::new())],
        crate::ToolLimits::default(),
        redactor(),
    );
    let ran = run(
        &roomy,
        call("list_dir", json!({})),
        &call_context(workspace.path()),
    )
    .await;
    let ToolOutcome::Success { output } = ran.outcome else {
        panic!("not listed");
    };
    assert!(
        output.ends_with("\n[3 more entries are not listed]"),
        "{output}"
    );
    assert!(ran.tainted, "a name may be anybody's text");
}

#[tokio::test]
async fn what_cannot_be_read_says_why() {
    let workspace = tempfile::tempdir().unwrap();
    fs::create_dir(workspace.path().join("sub")).unwrap();
    mkfifo(&workspace.path().join("pipe"), Mode::S_IRWXU).unwrap();
    let _listener = UnixListener::bind(workspace.path().join("socket")).unwrap();
    symlink("nowhere", workspace.path().join("broken")).unwrap();
    let mut told = Vec::new();
    for path in [
        "missing",
        "sub",
        "pipe",
        "socket",
        "broken",
        "missing/../x",
        "",
        "sub/\u{0}",
    ] {
        told.push(read(workspace.path(), path).await);
    }
    told.push(write(workspace.path(), "sub", "x").await);
    told.push(write(workspace.path(), "pipe", "x").await);
    told.push(write(workspace.path(), "socket", "x").await);
    told.push(write(workspace.path(), "broken", "x").await);
    insta::assert_snapshot!(told.join("\n"), @r#"
    [failed] missing: it does not exist
    [failed] sub: it is a directory
    [failed] pipe: it is not a regular file
    [failed] socket: it is not a regular file
    [failed] broken: a symbolic link on the way leads nowhere
    [failed] missing/../x: it does not exist
    [failed] : the path is empty or has a NUL in it
    [failed] sub/\u{0}: the path is empty or has a NUL in it
    [failed] sub: it is a directory
    [failed] pipe: it is not a regular file
    [failed] socket: it is not a regular file
    [failed] broken: a symbolic link on the way leads nowhere
    "#);
}

/// A workspace full of ways out, and a directory beside it that must not be touched.
fn with_ways_out() -> (tempfile::TempDir, tempfile::TempDir, Vec<String>) {
    let workspace = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "secret").unwrap();
    symlink(outside.path(), workspace.path().join("directory")).unwrap();
    symlink(outside.path().join("secret"), workspace.path().join("file")).unwrap();
    symlink("directory", workspace.path().join("twice")).unwrap();
    symlink("/proc/self/root", workspace.path().join("magic")).unwrap();
    let name = outside
        .path()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let absolute = outside.path().to_str().unwrap();
    let paths = vec![
        "directory/secret".to_owned(),
        "twice/secret".to_owned(),
        "file".to_owned(),
        format!("../{name}/secret"),
        format!("{absolute}/secret"),
        format!("magic{absolute}/secret"),
        format!("/proc/self/root{absolute}/secret"),
        format!("/proc/{}/root{absolute}/secret", std::process::id()),
        format!("/proc/thread-self/root/{absolute}/./secret"),
        format!("/proc/self/cwd/../../../../../../../../../../..{absolute}/secret"),
    ];
    (workspace, outside, paths)
}

#[tokio::test]
async fn a_way_out_is_seen_as_outside() {
    let (workspace, outside, paths) = with_ways_out();
    let secret = outside.path().canonicalize().unwrap().join("secret");
    for path in paths {
        let read = call("file_read", json!({ "path": path }));
        let facts = toolbox()
            .inspect(&read, &scope(workspace.path()))
            .await
            .unwrap();
        let expected = Action::Read {
            path: Reach::Outside(secret.clone()),
        };
        assert_eq!(facts.action, expected, "{path}");
    }
}

#[tokio::test]
async fn no_way_out_is_taken_even_when_the_call_was_cleared() {
    let (workspace, outside, paths) = with_ways_out();
    for path in paths {
        let read = run_unseen(workspace.path(), "file_read", json!({ "path": path })).await;
        assert!(
            read.contains("leads out of the workspace"),
            "{path}: {read}"
        );
        let arguments = json!({"path": path, "content": "taken over"});
        let written = run_unseen(workspace.path(), "file_write", arguments).await;
        assert!(
            written.contains("leads out of the workspace"),
            "{path}: {written}"
        );
        let listed = run_unseen(workspace.path(), "list_dir", json!({ "path": path })).await;
        assert!(
            listed.contains("leads out of the workspace"),
            "{path}: {listed}"
        );
    }
    let left: Vec<_> = fs::read_dir(outside.path()).unwrap().collect();
    assert_eq!(left.len(), 1);
    assert_eq!(
        fs::read_to_string(outside.path().join("secret")).unwrap(),
        "secret"
    );
}

#[tokio::test]
async fn links_that_stay_inside_are_followed() {
    let workspace = tempfile::tempdir().unwrap();
    fs::create_dir(workspace.path().join("real")).unwrap();
    symlink("real", workspace.path().join("relative")).unwrap();
    symlink(
        workspace.path().join("real"),
        workspace.path().join("absolute"),
    )
    .unwrap();
    write(workspace.path(), "relative/a", "1").await;
    write(workspace.path(), "absolute/a", "2").await;
    assert_eq!(read(workspace.path(), "real/a").await, "2");
}

#[tokio::test]
async fn chat_f15_a_text_in_another_encoding_is_read_and_keeps_it() {
    let workspace = tempfile::tempdir().unwrap();
    let list = workspace.path().join("list.txt");
    fs::write(
        &list,
        b"\xcf\xf0\xe8\xe2\xe5\xf2, \xfd\xf2\xee \xf1\xef\xe8\xf1\xee\xea",
    )
    .unwrap();
    insta::assert_snapshot!(read(workspace.path(), "list.txt").await, @"
    Привет, это список
    [the file is in windows-1251, by guess; offsets count its text as UTF-8]
    ");
    insta::assert_snapshot!(write(workspace.path(), "list.txt", "Привет, список").await, @"wrote 14 bytes to list.txt, in windows-1251, by guess, as the file was");
    assert_eq!(
        fs::read(&list).unwrap(),
        b"\xcf\xf0\xe8\xe2\xe5\xf2, \xf1\xef\xe8\xf1\xee\xea"
    );
    insta::assert_snapshot!(write(workspace.path(), "list.txt", "好").await, @"wrote 3 bytes to list.txt, in UTF-8: the file was in windows-1251, by guess, which has no such letters");
    assert_eq!(fs::read_to_string(&list).unwrap(), "好");
    let notes = workspace.path().join("notes.txt");
    fs::write(&notes, b"\xef\xbb\xbfone").unwrap();
    write(workspace.path(), "notes.txt", "two").await;
    assert_eq!(fs::read(&notes).unwrap(), b"\xef\xbb\xbftwo");
}

#[tokio::test]
async fn chat_f15_a_long_text_in_another_encoding_is_read_on() {
    let workspace = tempfile::tempdir().unwrap();
    let text = "a line of text — with a dash\n".repeat(40);
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    fs::write(workspace.path().join("long.txt"), bytes).unwrap();
    let mut whole = String::new();
    while whole.len() < text.len() {
        let part = json!({"path": "long.txt", "offset": whole.len(), "limit": 101});
        let part = told(workspace.path(), "file_read", part).await;
        let (shown, _) = part.split_once("\n[").unwrap();
        assert!(!shown.is_empty() && part.contains("UTF-16BE"), "{part}");
        whole.push_str(shown);
    }
    assert_eq!(whole, text);
}
