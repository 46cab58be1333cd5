//! How much a command may use.

use std::fs;
use std::path::Path;
use std::process::Command;

use sayso::bench_support::Access;
use serde_json::{Value, json};

use super::{Came, Stage, Terms};

/// Two hundred processes that stay.
const BOMB: &str =
    "i=0; while [ $i -lt 200 ]; do sleep 60 & i=$((i+1)); done; echo all > all; wait";

/// Limits that are never reached, with the given fields overridden.
fn limits(changed: &Value) -> Value {
    let mut limits = json!({
        "processes": 128, "threads": 4096, "memory": null, "file": null, "open_files": null,
        "cpu_secs": null,
    });
    for (name, value) in changed.as_object().unwrap() {
        limits[name] = value.clone();
    }
    limits
}

impl Stage {
    fn bound(&self, command: &str, changed: &Value) -> Came {
        let terms = Terms {
            limits: Some(limits(changed)),
            ..self.terms(Access::Workspace)
        };
        self.start(command, terms).wait()
    }
}

#[test]
fn two_hundred_processes_are_too_many() {
    let stage = Stage::new();
    let free = stage.start(BOMB, stage.terms(Access::System));
    stage.wait_for("all");
    free.abandon();

    let came = stage.bound(BOMB, &json!({}));
    assert_eq!(came.end, json!({"overdrawn": "processes"}), "{came:?}");
    let apart = Terms {
        limits: Some(limits(&json!({}))),
        ..stage.apart(Access::Workspace)
    };
    let came = stage.start(BOMB, apart).wait();
    assert_eq!(came.end, json!({"overdrawn": "processes"}), "{came:?}");
}

#[test]
fn processes_that_multiply_are_ended_by_the_count() {
    let stage = Stage::new();
    // Each has two children until 200 are born: bounded, should the helper fail.
    let again = "echo >> born; [ $(wc -l < born) -lt 200 ] || exec sleep 60\n\
                 setsid sh again & sh again & sleep 60\n";
    fs::write(stage.workspace().join("again"), again).unwrap();
    let came = stage.bound("sh again", &json!({"processes": 40}));
    assert_eq!(came.end, json!({"overdrawn": "processes"}), "{came:?}");
}

#[test]
fn one_process_has_so_much_memory() {
    let stage = Stage::new();
    let take = "perl -e '$x = \"a\" x (128 * 1024 * 1024); print length $x'";
    assert_eq!(stage.free(take).succeeded(), "134217728");
    let came = stage.bound(take, &json!({"memory": 64 * 1024 * 1024}));
    assert_eq!(came.stdout, "", "{came:?}");
}

#[test]
fn all_processes_together_have_so_much_memory() {
    let stage = Stage::new();
    let take =
        "for i in 1 2 3 4; do perl -e '$x = \"a\" x (24 * 1024 * 1024); sleep 60' & done; wait";
    let came = stage.bound(take, &json!({"memory": 72 * 1024 * 1024}));
    assert_eq!(came.end, json!({"overdrawn": "memory"}), "{came:?}");
}

#[test]
fn a_file_is_so_long() {
    let stage = Stage::new();
    let write = "dd if=/dev/zero of=long bs=65536 count=32 2>&1 | tail -1; wc -c < long";
    assert!(stage.free(write).succeeded().ends_with("2097152\n"));
    let came = stage.bound(write, &json!({"file": 1024 * 1024}));
    assert!(came.stdout.ends_with("1048576\n"), "{came:?}");
}

#[test]
fn a_process_has_so_many_seconds_on_a_processor() {
    let stage = Stage::new();
    let came = stage.bound("while :; do :; done", &json!({"cpu_secs": 1}));
    let killed = [
        json!({"killed": {"signal": "SIGKILL"}}),
        json!({"killed": {"signal": "SIGXCPU"}}),
    ];
    assert!(killed.contains(&came.end), "{came:?}");
}

#[test]
fn a_process_has_so_many_files_open() {
    let stage = Stage::new();
    let open = "perl -e 'for (1..300) { open($f[$_], \"<\", \"/dev/null\") or die $! }'";
    stage.free(open).succeeded();
    let came = stage.bound(open, &json!({"open_files": 100}));
    assert!(came.stderr.contains("Too many open files"), "{came:?}");
}

#[test]
fn no_core_file_is_left() {
    let stage = Stage::new();
    let came = stage.bound("ulimit -c; ulimit -Hc", &json!({}));
    assert_eq!(came.succeeded(), "0\n0\n");
}

/// A workspace on a disk of 32 MiB of its own, in a namespace of the helper's.
fn on_a_small_disk(stage: &Stage, command: &str, terms: Terms) -> Came {
    let user = if super::is_root() { "" } else { "Ur" };
    let mut program = Command::new("unshare");
    let mount = format!(
        "mount -t tmpfs -o size=32m small {0} && cd {0} && exec \"$@\"",
        stage.workspace().display()
    );
    program.args([
        &format!("-m{user}"),
        "sh",
        "-c",
        &mount,
        "sh",
        env!("CARGO_BIN_EXE_sayso"),
    ]);
    stage.start_with(program, command, terms).wait()
}

fn free_kib(came: &Came) -> u64 {
    let last = came.stdout.lines().last().unwrap_or_default();
    last.trim().parse().unwrap_or_else(|_| panic!("{came:?}"))
}

#[test]
fn one_file_does_not_fill_the_disk() {
    let stage = Stage::new();
    let fill = "dd if=/dev/zero of=big bs=65536 2> /dev/null; df -k --output=avail . | tail -1";
    let free = on_a_small_disk(&stage, fill, stage.terms(Access::System));
    assert_eq!(free_kib(&free), 0, "{free:?}");
    let terms = Terms {
        limits: Some(limits(&json!({"file": 1u64 << 30}))),
        ..stage.terms(Access::Workspace)
    };
    let came = on_a_small_disk(&stage, fill, terms);
    assert!(free_kib(&came) >= 3 * 1024, "{came:?}");
}

#[test]
fn many_files_do_not_fill_the_disk() {
    let stage = Stage::new();
    let fill = "dd if=/dev/zero of=most bs=1048576 count=24 2> /dev/null; i=0
        while dd if=/dev/zero of=f$i bs=1048576 count=1 2> /dev/null; do
            df -k --output=avail . | tail -1
            i=$((i+1)); sleep 0.3
        done
        echo 0";
    let terms = Terms {
        limits: Some(limits(&json!({"file": 1u64 << 30}))),
        ..stage.terms(Access::Workspace)
    };
    let came = on_a_small_disk(&stage, fill, terms);
    assert_eq!(came.end, json!({"overdrawn": "disk"}), "{came:?}");
    assert!(free_kib(&came) > 0, "{came:?}");
}

/// A disk that can have 30,000 files, mounted there for the helper alone. Says at the end how many
/// it could still have.
fn with_few_files(stage: &Stage, place: &Path, command: &str, terms: Terms) -> Came {
    let user = if super::is_root() { "" } else { "Ur" };
    let mut program = Command::new("unshare");
    let mount = format!(
        "mount -t tmpfs -o nr_inodes=30000 small {0} && cd {1} && \"$@\"; df --output=iavail {0} | tail -1",
        place.display(),
        stage.workspace().display(),
    );
    let helper = env!("CARGO_BIN_EXE_sayso");
    program.args([&format!("-m{user}"), "sh", "-c", &mount, "sh", helper]);
    stage.start_with(program, command, terms).wait()
}

/// Makes files by the thousand until it fails.
const MAKE_FILES: &str =
    "perl -e 'for ($i = 0; ; $i++) { open(F, \">\", \"$ARGV[0]/f$i\") or die $!; close F }'";

#[test]
fn s8_many_empty_files_do_not_fill_the_disk() {
    let stage = Stage::new();
    let everywhere = [
        (stage.workspace(), "."),
        (stage.data().join("tmp"), "$TMPDIR"),
    ];
    fs::create_dir_all(&everywhere[1].0).unwrap();
    let fill = format!("{MAKE_FILES} .");
    let free = with_few_files(&stage, &everywhere[0].0, &fill, stage.terms(Access::System));
    assert!(free.stderr.contains("No space left"), "{free:?}");
    assert_eq!(free_kib(&free), 0, "{free:?}");
    for (place, named) in everywhere {
        for terms in [
            stage.terms(Access::Workspace),
            stage.apart(Access::Workspace),
        ] {
            let terms = Terms {
                limits: Some(limits(&json!({"file": 1u64 << 30}))),
                ..terms
            };
            let came = with_few_files(&stage, &place, &format!("{MAKE_FILES} {named}"), terms);
            assert_eq!(came.end, json!({"overdrawn": "files"}), "{named}: {came:?}");
            assert!(free_kib(&came) > 3000, "{named}: {came:?}");
        }
    }
}

#[test]
fn s8_a_command_has_so_many_files() {
    let stage = Stage::new();
    let make = "mkdir -p d && for i in $(seq 600); do : > d/f$i; done; echo made; sleep 0.6";
    assert_eq!(
        stage.bound(make, &json!({"entries": 700})).succeeded(),
        "made\n"
    );
    let more = "for i in $(seq 60); do : > $TMPDIR/f$i; done; for i in $(seq 60); do : > g$i; done; sleep 20";
    let came = stage.bound(more, &json!({"entries": 700}));
    assert_eq!(came.end, json!({"overdrawn": "files"}), "{came:?}");
    // Over it from the beginning, one can still work and clean up.
    let came = stage.bound("sleep 0.6; rm -r d; echo done", &json!({"entries": 600}));
    assert_eq!(came.succeeded(), "done\n");
}
