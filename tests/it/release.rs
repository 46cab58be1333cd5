//! What `deploy/release` packs, with a stand-in for the program: nothing is compiled for it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// What the files are packed for; the stand-in runs anywhere.
const TARGET: &str = "x86_64-unknown-linux-musl";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn is_there(program: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output();
    found.unwrap().status.success()
}

/// Runs a program to its end, and returns what it printed.
fn run(program: impl AsRef<Path>, arguments: &[&str], into: &Path) -> String {
    let mut command = Command::new(program.as_ref());
    let Output {
        status,
        stdout,
        stderr,
    } = command.args(arguments).current_dir(into).output().unwrap();
    let errors = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{}: {errors}", program.as_ref().display());
    String::from_utf8(stdout).unwrap()
}

/// Packs a script that calls the program of these tests; returns the directory with the files.
fn packed(place: &TempDir) -> PathBuf {
    let stand_in = place.path().join("sayso");
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_sayso"));
    std::fs::write(&stand_in, script).unwrap();
    run("chmod", &["755", stand_in.to_str().unwrap()], place.path());
    let files = place.path().join("files");
    let mut release = Command::new(root().join("deploy/release"));
    release
        .arg(TARGET)
        .env("SAYSO_BINARY", &stand_in)
        .env("SAYSO_RELEASE_FILES", &files)
        .env("DEBFULLNAME", "Ann")
        .env("DEBEMAIL", "ann@example.org");
    let Output { status, stderr, .. } = release.output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    files
}

/// Returns the value of a line such as `User=sayso`.
fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
}

#[test]
fn the_packages_hold_what_an_installation_needs() {
    if !is_there("dpkg-deb") {
        eprintln!("skipped: dpkg-deb is not there");
        return;
    }
    let place = TempDir::new().unwrap();
    let files = packed(&place);
    run("sha256sum", &["--check", "--quiet", "SHA256SUMS"], &files);
    let version = env!("CARGO_PKG_VERSION");
    let package = format!("sayso_{version}_amd64.deb");
    let control = run("dpkg-deb", &["--field", &package], &files);
    for line in [
        "Package: sayso",
        "Architecture: amd64",
        "Maintainer: Ann <ann@example.org>",
    ] {
        assert!(control.lines().any(|it| it == line), "{line}\n{control}");
    }

    run("dpkg-deb", &["--raw-extract", &package, "raw"], &files);
    let raw = files.join("raw");
    let read = |path: &str| std::fs::read_to_string(raw.join(path)).unwrap();
    let unit = read("usr/lib/systemd/system/sayso.service");
    assert_eq!(value(&unit, "ExecStart"), Some("/usr/bin/sayso run"));
    let account = format!("u {} ", value(&unit, "User").unwrap());
    let accounts = read("usr/lib/sysusers.d/sayso.conf");
    assert!(
        accounts.lines().any(|line| line.starts_with(&account)),
        "{accounts}"
    );
    assert!(read("DEBIAN/postinst").contains("systemd-sysusers sayso.conf"));
    for script in ["postinst", "prerm", "postrm"] {
        run("sh", &["-n", &format!("DEBIAN/{script}")], &raw);
    }
    for path in [
        "usr/bin/sayso",
        "usr/share/man/man1/sayso.1.gz",
        "usr/share/bash-completion/completions/sayso",
        "usr/share/doc/sayso/copyright",
        "usr/share/doc/sayso/examples/sayso.example.toml",
    ] {
        assert!(raw.join(path).metadata().unwrap().len() > 0, "{path}");
    }

    let sbom = std::fs::read(files.join(format!("sayso-{version}-{TARGET}.cdx.json"))).unwrap();
    let sbom: Value = serde_json::from_slice(&sbom).unwrap();
    let components = sbom["components"].as_array().unwrap();
    assert!(components.iter().any(|it| it["name"] == "tokio"), "{sbom}");
    assert!(
        components.iter().all(|it| it["name"] != "sayso-fakes"),
        "of tests alone"
    );
}

/// The C compiler of musl as the linker gives a program that asks for an interpreter, and does not start.
#[test]
fn the_static_program_is_linked_by_the_usual_linker() {
    let script = std::fs::read_to_string(root().join("deploy/release")).unwrap();
    let code = script
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let code: Vec<&str> = code.collect();
    assert!(
        code.iter().all(|line| !line.contains("_LINKER")),
        "{script}"
    );
    assert!(
        code.iter()
            .any(|line| line.contains("-C target-feature=+crt-static")),
        "{script}"
    );
}
