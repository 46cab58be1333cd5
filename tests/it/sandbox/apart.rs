//! Namespaces of a command's own: who is outside of them is not there. Where this system has none
//! to give, the tests say so, and what holds without them is shown next door.

use std::fs;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::chown;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::process::Command;

use sayso::bench_support::Access;
use serde_json::json;

use super::{Came, Stage, Terms, has_namespaces, is_root, skipped};

/// The default overflow UID and GID on Linux (`kernel.overflowuid`).
const NOBODY: u32 = 65534;

impl Stage {
    /// Runs a command in namespaces of its own, which there must be.
    fn in_namespaces(&self, command: &str) -> Came {
        self.start(command, self.apart(Access::Workspace)).wait()
    }
}

fn here(namespace: &str) -> String {
    let link = fs::read_link(format!("/proc/self/ns/{namespace}")).unwrap();
    link.display().to_string()
}

/// The agent is this test here.
#[test]
fn command_lines_of_others_cannot_be_read() {
    if !has_namespaces() {
        return;
    }
    let stage = Stage::new();
    let read = format!("cat /proc/{}/cmdline", std::process::id());
    assert!(!stage.free(&read).succeeded().is_empty());
    let came = stage.in_namespaces(&read);
    assert!(came.stderr.contains("No such file"), "{came:?}");
    // The helper, the shell and what it starts.
    let listed = stage.in_namespaces("echo /proc/[0-9]*; tr '\\0' ' ' < /proc/1/cmdline");
    let (numbers, first) = listed.succeeded().split_once('\n').unwrap();
    assert!(numbers.split(' ').count() <= 3, "{listed:?}");
    assert!(first.contains("__helper"), "{listed:?}");
}

#[test]
fn no_one_outside_can_be_signalled_and_the_helper_does_not_hear() {
    if !has_namespaces() {
        return;
    }
    let stage = Stage::new();
    let signal = format!("kill -0 {}", std::process::id());
    stage.free(&signal).succeeded();
    let came = stage.in_namespaces(&signal);
    assert!(came.stderr.contains("No such process"), "{came:?}");
    let came = stage.in_namespaces("kill -9 1 2> /dev/null; kill -9 -1 & wait; echo still here");
    assert_eq!(
        came.end,
        json!({"killed": {"signal": "SIGKILL"}}),
        "{came:?}"
    );
}

#[test]
fn only_the_network_that_was_cleared_is_shared() {
    if !has_namespaces() {
        return;
    }
    let stage = Stage::new();
    let look = "readlink /proc/self/ns/pid /proc/self/ns/ipc /proc/self/ns/net";
    let outside = [here("pid"), here("ipc"), here("net")];
    let without = stage.in_namespaces(look);
    let inside: Vec<&str> = without.succeeded().lines().collect();
    assert_eq!(inside.len(), 3);
    for (inside, outside) in inside.iter().zip(&outside) {
        assert_ne!(inside, outside);
    }
    let with = stage.start(look, stage.apart(Access::Network)).wait();
    let inside: Vec<&str> = with.succeeded().lines().collect();
    assert_ne!(inside[..2], outside[..2]);
    assert_eq!(inside[2], outside[2]);
}

#[test]
fn abstract_sockets_cannot_be_reached() {
    let stage = Stage::new();
    let name = format!("sayso-test-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _listener = UnixListener::bind_addr(&address).unwrap();
    let connect = format!(
        "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die $!; \
         connect(S, pack(\"S a*\", AF_UNIX, \"\\0{name}\")) or die $!'"
    );
    stage.is_refused(&connect);
    let with_network = stage.start(&connect, stage.apart(Access::Network));
    with_network.wait().was_refused();
}

/// Since Linux 6.14 the highest number of a process is one of the namespace, and the machine's
/// stays.
#[test]
fn the_kernel_gives_no_more_than_so_many_numbers() {
    if !has_namespaces() {
        return;
    }
    let stage = Stage::new();
    let machine = "/proc/sys/kernel/pid_max";
    let before = fs::read_to_string(machine).unwrap();
    // 800 processes one after the other, and how high their numbers went.
    let count = format!(
        "cat {machine}; perl -e 'for (1..800) {{ $p = fork // die $!; exit unless $p; waitpid $p, 0; \
         $most = $p if $p > $most }} print \"$most\\n\"'"
    );
    let terms = Terms {
        limits: Some(json!({"processes": 100, "threads": 200})),
        ..stage.apart(Access::Workspace)
    };
    let came = stage.start(&count, terms).wait();
    let numbers: Vec<u32> = came
        .succeeded()
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    assert_eq!(fs::read_to_string(machine).unwrap(), before);
    if numbers[0].to_string() == before.trim() {
        assert!(numbers[1] > 800, "{came:?}");
        return;
    }
    // The tasks, the helper's, and those that are given only once.
    assert_eq!(numbers[0], 200 + 16 + 300);
    assert!(numbers[1] < numbers[0], "{came:?}");
}

/// Copies the Sayso binary to a directory where other users may execute it. A child process copies
/// it: a child that another test forks meanwhile would inherit our write descriptor, and executing
/// a file that is open for writing fails with ETXTBSY.
fn copy_sayso(to: &Path) {
    let copied = Command::new("cp")
        .arg(env!("CARGO_BIN_EXE_sayso"))
        .arg(to)
        .status();
    assert!(copied.unwrap().success());
}

/// Gives the stage to an unprivileged user and runs a helper there as that user.
fn as_no_one(stage: &Stage, command: &str, terms: Terms) -> Came {
    let program = stage.path("sayso");
    copy_sayso(&program);
    let everything = Command::new("find").arg(stage.path("")).output().unwrap();
    for path in String::from_utf8(everything.stdout).unwrap().lines() {
        chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let mut nobody = Command::new("setpriv");
    let number = NOBODY.to_string();
    nobody.args(["--reuid", &number, "--regid", &number, "--clear-groups"]);
    nobody.arg(program);
    stage.start_with(nobody, command, terms).wait()
}

/// Who is not root gets them by a user namespace, in which they stay who they are, and in which the
/// kernel counts their tasks alone.
#[test]
fn who_is_not_root_has_them_too() {
    let stage = Stage::new();
    let no_one_can = Command::new("setpriv")
        .args(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
        .args(["unshare", "-Urmpinf", "--mount-proc", "true"])
        .output();
    if !is_root() || !no_one_can.is_ok_and(|tried| tried.status.success()) {
        skipped("this system gives nobody no namespaces, or we are not root");
        return;
    }
    let script = format!(
        "id -u; sed -n 's/^Max processes *//p' /proc/self/limits; grep CapEff /proc/self/status; chmod 600 ../../../outside/file; \
         kill -0 {}; echo /proc/[0-9]* | wc -w; touch made && rm made && echo works",
        std::process::id()
    );
    let terms = Terms {
        limits: Some(json!({"processes": 100, "threads": 200})),
        ..stage.apart(Access::Workspace)
    };
    let came = as_no_one(&stage, &script, terms);
    let lines: Vec<&str> = came.succeeded().lines().collect();
    let [user, tasks, rights, processes, works] = lines[..] else {
        panic!("{came:?}");
    };
    assert_eq!([user, works], ["65534", "works"], "{came:?}");
    assert!(tasks.starts_with("216 "), "{came:?}");
    assert!(rights.ends_with("0000000000000000"), "{came:?}");
    assert!(processes.parse::<u32>().unwrap() <= 4, "{came:?}");
    assert!(came.stderr.contains("Read-only file system"), "{came:?}");
    assert!(came.stderr.contains("No such process"), "{came:?}");
}

/// Simulates a machine without user namespaces: the program runs in a namespace that forbids
/// further ones, without root's capabilities.
fn where_there_are_none(program: &mut Command) -> bool {
    program.args([
        "-Ur",
        "sh",
        "-c",
        "echo 0 > /proc/sys/user/max_user_namespaces && \
         exec setpriv --bounding-set=-all --inh-caps=-all \"$@\"",
        "sh",
    ]);
    has_namespaces()
}

#[test]
fn what_was_promised_and_cannot_be_had_is_not_left_out() {
    let stage = Stage::new();
    let mut bare = Command::new("unshare");
    if !where_there_are_none(&mut bare) {
        return;
    }
    bare.arg(env!("CARGO_BIN_EXE_sayso"));
    let (reports, said) = stage
        .start_with(bare, "echo ran", stage.apart(Access::Workspace))
        .told();
    assert_eq!(reports, "");
    assert!(said.contains("the command could not be run: "), "{said}");
}

/// What `doctor` says of the sandbox under this program, asked by this user.
fn doctor(mut program: Command, user: Option<u32>) -> String {
    let home = tempfile::tempdir().unwrap();
    let sayso = home.path().join("sayso");
    copy_sayso(&sayso);
    if user.is_some() {
        chown(home.path(), user, user).unwrap();
    }
    let ran = program
        .arg(sayso)
        .arg("doctor")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", home.path())
        .env("SAYSO__DATA_DIR", home.path().join("data"))
        .current_dir(home.path())
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let sandbox = said.lines().find(|line| line.contains("sandbox: "));
    let stderr = String::from_utf8_lossy(&ran.stderr);
    sandbox
        .unwrap_or_else(|| panic!("{said}{stderr}"))
        .to_owned()
}

#[test]
fn doctor_tells_which_are_in_force() {
    if !has_namespaces() {
        return;
    }
    let whole = doctor(Command::new("env"), None);
    let own = "; namespaces of their own for mounts, processes, IPC, network";
    assert!(whole.contains(own), "{whole}");
    assert!(!whole.contains("for want of"), "{whole}");
}

#[test]
fn doctor_tells_what_is_missing_and_which_setting_would_allow_it() {
    let mut bare = Command::new("unshare");
    if !where_there_are_none(&mut bare) {
        return;
    }
    let none = doctor(bare, None);
    assert!(
        none.ends_with(
            "; for want of namespaces approved commands can change modes, owners and times of files \
             outside, and they can read the command lines of other processes; `sysctl \
             user.max_user_namespaces=10000` would let them have namespaces"
        ),
        "{none}"
    );
}

/// As in containers: something is mounted over a part of `/proc`, so no new `/proc` can be mounted.
#[test]
fn where_proc_is_masked_the_other_namespaces_are_had() {
    if !is_root() || !has_namespaces() {
        skipped("we are not root, or this system gives no namespaces");
        return;
    }
    let mut masked = Command::new("unshare");
    masked.args([
        "-m",
        "sh",
        "-c",
        "mount -t tmpfs none /proc/fs && \
         exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\"",
        "sh",
    ]);
    let masked = doctor(masked, Some(NOBODY));
    assert!(
        masked.ends_with(
            "; namespaces of their own for mounts, IPC, network; for want of namespaces they can \
             read the command lines of other processes"
        ),
        "{masked}"
    );
}
