//! Skills from git repositories, served over HTTPS as they are by the services that people use.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use super::installing::{TEA, card, card_or_text, in_place, lay, loads, press};
use crate::command_line::CommandLine;
use crate::test_bot::TestBot;

/// Runs git without the configuration of the user who runs the tests, and returns its output.
fn git(at: &Path, words: &[&str]) -> String {
    let ran = std::process::Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@localhost"])
        .args(words)
        .current_dir(at)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "git {words:?}: {errors}");
    String::from_utf8(ran.stdout).unwrap().trim().to_owned()
}

/// Makes a repository of what `fill` puts into it, and returns its commit.
fn repository(at: &Path, fill: impl FnOnce(&Path)) -> String {
    fs::create_dir_all(at).unwrap();
    git(at, &["init", "--quiet"]);
    fill(at);
    git(at, &["add", "--all"]);
    git(at, &["commit", "--quiet", "--message", "all of it"]);
    git(at, &["rev-parse", "HEAD"])
}

/// A server of repositories, and the certificate that it is believed by.
struct Server {
    root: PathBuf,
    certificate: PathBuf,
    place: String,
    _process: Child,
}

impl Server {
    async fn start(home: &Path) -> Self {
        let root = home.join("served");
        fs::create_dir_all(&root).unwrap();
        let (key, certificate) = (home.join("key.pem"), home.join("certificate.pem"));
        let made = std::process::Command::new("openssl")
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
            ])
            .args(["-nodes", "-days", "2", "-subj", "/CN=localhost"])
            .args([
                "-addext",
                "subjectAltName=IP:127.0.0.1,DNS:localhost",
                "-keyout",
            ])
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .unwrap_or_else(|error| panic!("openssl cannot be run ({error}): install `openssl`"));
        assert!(made.status.success(), "{made:?}");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/skills/git.mjs");
        let mut process = Command::new("node")
            .arg(script)
            .args([&root, &key, &certificate])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let port = line.strip_prefix("PORT ").unwrap();
        Self {
            place: format!("127.0.0.1:{port}"),
            root,
            certificate,
            _process: process,
        }
    }

    fn url(&self, repository: &str) -> String {
        format!("https://{}/{repository}", self.place)
    }
}

/// Starts a bot that may fetch from a server of this machine.
async fn bot() -> (TestBot, Server) {
    let mut bot = TestBot::closed(&[]).await;
    let server = Server::start(&bot.path("git")).await;
    let places = format!("[\"{}\"]", server.place);
    bot.set("TOOLS__ALLOW_PRIVATE_HOSTS", &places);
    bot.set_variable("GIT_SSL_CAINFO", &server.certificate.to_string_lossy());
    bot.start();
    bot.settles_in().await;
    (bot, server)
}

/// Returns why a source is not taken.
async fn refusal(bot: &TestBot, url: &str) -> String {
    let asked = format!("/skills install {url}");
    let told = card_or_text(&bot.direct(), &asked, "was not taken").await;
    let first = told.lines().next().unwrap();
    let (_, why) = first.split_once("was not taken: ").unwrap();
    why.to_owned()
}

#[tokio::test]
async fn a_skill_of_a_repository_is_installed_as_it_was_shown() {
    let (bot, server) = bot().await;
    let commit = repository(&server.root.join("teas"), |at| {
        lay(&at.join("skills/tea"));
        lay(&at.join("other/ink"));
        fs::write(at.join("README.md"), "Teas.\n").unwrap();
    });
    let chat = bot.direct();
    let why = refusal(&bot, &server.url("teas/.git")).await;
    assert_eq!(
        why,
        "there are 2 skills in it: ink, tea; name one as SOURCE#NAME."
    );
    let from = format!("{}#skills/tea", server.url("teas/.git"));
    let asked = card(&chat, &format!("/skills install {from}")).await;
    let shown = asked
        .text
        .replace(&server.place, "HOST")
        .replace(&commit, "COMMIT");
    insta::assert_snapshot!(shown, @r"
    Install the skill tea? From https://HOST/teas/.git#skills/tea, for everybody.
    Commit: COMMIT

    Brewing tea (load when thirsty)
    Files: 3, 217 bytes: SKILL.md 162 B, references/green.md 12 B, scripts/brew.sh 43 B
    Declares tools: Bash(kettle:*). That gives it no rights.
    Names hosts: a.example, tea.example
    Look at this:

    • ⚠️ fetches something and runs it at once: scripts/brew.sh, line 2
    • scripts: scripts/brew.sh, line 1

    All of it is in the file above.
    ");
    // What comes to the repository after the showing is not what is installed.
    let newer = repository(&server.root.join("teas"), |at| {
        fs::write(at.join("skills/tea/SKILL.md"), TEA.replace("Boil", "Burn")).unwrap();
    });
    press(&chat, &bot, &asked, "Approve", "tea is installed.").await;
    assert_eq!(in_place(&bot), ["tea"]);
    let (system, said) = loads(&bot, &chat).await;
    assert!(system.contains("## Skill: tea\nBoil the water"), "{system}");
    assert_eq!(said.trim(), "80 degrees.");
    let noted = bot
        .rows("SELECT payload FROM audit_payloads WHERE payload LIKE '%approved%'")
        .await;
    assert!(noted[0].contains(&commit), "{noted:?}");

    // Asked for again, the newer one is shown with what it changes.
    let asked = card(&chat, &format!("/skills install {from}")).await;
    assert!(asked.text.contains(&newer), "{}", asked.text);
    assert!(asked.text.contains("-Boil the water"), "{}", asked.text);
    assert!(asked.text.contains("+Burn the water"), "{}", asked.text);
    bot.assert_clean();
}

#[tokio::test]
async fn a_hostile_repository_does_no_harm() {
    let (bot, server) = bot().await;
    let marker = bot.path("was-here");
    let run = format!("touch {}", marker.display());
    repository(&server.root.join("linked"), |at| {
        lay(&at.join("tea"));
        std::os::unix::fs::symlink("/etc/passwd", at.join("tea/names")).unwrap();
    });
    repository(&server.root.join("large"), |at| {
        lay(&at.join("tea"));
        fs::write(at.join("tea/zeros"), vec![0; 80 * 1024 * 1024]).unwrap();
    });
    repository(&server.root.join("plain"), |at| {
        fs::write(at.join("README.md"), "None.\n").unwrap();
    });
    repository(&server.root.join("armed"), |at| {
        lay(&at.join("tea"));
        let modules = format!("[submodule \"m\"]\n\tpath = tea/m\n\turl = \"ext::{run}\"\n");
        fs::write(at.join(".gitmodules"), modules).unwrap();
        fs::write(at.join(".gitattributes"), "* filter=evil diff=evil\n").unwrap();
        fs::write(at.join(".lfsconfig"), format!("[lfs]\n\turl = {run}\n")).unwrap();
        let config = format!("[filter \"evil\"]\n\tsmudge = {run}\n\tclean = {run}\n");
        fs::write(at.join("tea/.gitconfig"), config).unwrap();
        fs::create_dir_all(at.join("hooks")).unwrap();
        fs::write(
            at.join("hooks/post-checkout"),
            format!("#!/bin/sh\n{run}\n"),
        )
        .unwrap();
        let module = "160000,8ab686eafeb1f44702738c8b0f24f2567c36da6d,tea/m";
        git(at, &["update-index", "--add", "--cacheinfo", module]);
        // `add --all` would take it out again: there is nothing in its place.
        fs::create_dir_all(at.join("tea/m")).unwrap();
    });
    let why = async |repository: &str| refusal(&bot, &server.url(repository)).await;
    assert_eq!(
        [
            why("linked/.git").await,
            why("large/.git").await,
            why("plain/.git").await
        ],
        [
            "names is no plain file; a skill has files and folders only.",
            "it is too large; all files of a skill have 4194304 bytes at most.",
            "there is no SKILL.md in it.",
        ]
    );
    let gone = why("gone/.git").await;
    assert!(
        gone.starts_with("it cannot be fetched: git says: fatal: "),
        "{gone}"
    );
    let moved = why("moved/plain/.git").await;
    assert!(
        moved.starts_with("it cannot be fetched: git says: fatal: "),
        "{moved}"
    );

    let chat = bot.direct();
    let from = format!("/skills install {}", server.url("armed/.git"));
    let asked = card(&chat, &from).await;
    press(&chat, &bot, &asked, "Approve", "tea is installed.").await;
    assert_eq!(in_place(&bot), ["tea"]);
    assert!(!marker.exists(), "something of it ran");
    bot.assert_clean();
}

#[tokio::test]
async fn only_https_to_public_servers_is_fetched() {
    let bot = TestBot::open().await;
    let server = Server::start(&bot.path("git")).await;
    repository(&server.root.join("tea"), lay);
    let not_listed = server.url("tea/.git");
    let mut told = Vec::new();
    for url in [
        not_listed.as_str(),
        "https://localhost/tea",
        "https://169.254.169.254/tea",
        "https://[::1]/tea",
        "http://git.example/tea",
        "git@git.example:tea.git",
        "ssh://git.example/tea",
        "file:///tmp/tea",
    ] {
        told.push(refusal(&bot, url).await);
    }
    insta::assert_snapshot!(told.join("\n"), @r"
    it cannot be fetched: its host is a loopback address; only the public internet is fetched from.
    it cannot be fetched: its host is a loopback address; only the public internet is fetched from.
    it cannot be fetched: its host is a link-local address; only the public internet is fetched from.
    it cannot be fetched: its host is a loopback address; only the public internet is fetched from.
    it cannot be fetched: only https is fetched.
    it cannot be fetched: it is no complete URL, such as https://example.org/page.
    it cannot be fetched: only http and https are fetched.
    a repository of this machine is named at its terminal only: sayso skills install file:///PATH.
    ");
    bot.assert_clean();
}

#[tokio::test]
async fn the_one_who_sits_at_the_machine_may_name_a_repository_on_it() {
    let here = CommandLine::new();
    let at = here.path("given/tea");
    let commit = repository(&at, lay);
    let source = format!("file://{}", at.display());
    let ran = here.run(&["skills", "install", &source], "y\n").await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains(&format!("Commit: `{commit}`")),
        "{}",
        ran.out
    );
    let installed = here.path("data/installed/tea");
    assert_eq!(fs::read_to_string(installed.join("SKILL.md")).unwrap(), TEA);
    assert!(!installed.join(".git").exists());
    assert!(!here.path("data/installed/.fetched").exists());
}
