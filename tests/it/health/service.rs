//! What a service manager receives by the protocol of sd_notify(3), and what `sayso health` prints.

use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use super::{bot_with_window, health_until, is};
use crate::test_bot::{PATIENCE, TestBot};

/// The socket of a service manager.
struct Manager {
    socket: UnixDatagram,
    path: std::path::PathBuf,
}

impl Manager {
    fn for_bot(bot: &TestBot) -> Self {
        let path = bot.path("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { socket, path }
    }

    /// Waits for the next line that Sayso sends to it.
    async fn hears(&self) -> String {
        let socket = self.socket.try_clone().unwrap();
        let hearing = tokio::task::spawn_blocking(move || {
            let mut datagram = [0; 256];
            let length = socket.recv(&mut datagram).unwrap();
            String::from_utf8(datagram[..length].to_vec()).unwrap()
        });
        hearing.await.unwrap().trim_end().to_owned()
    }
}

/// Returns a bot that runs as a service, of which a sign of life is wanted so often.
async fn service(watchdog: Option<Duration>) -> (TestBot, Manager) {
    let mut bot = TestBot::closed(&[]).await;
    let manager = Manager::for_bot(&bot);
    bot.set_variable("NOTIFY_SOCKET", &manager.path.to_string_lossy());
    if let Some(within) = watchdog {
        bot.set_variable("WATCHDOG_USEC", &within.as_micros().to_string());
    }
    bot.start();
    (bot, manager)
}

#[tokio::test]
async fn manager_hears_that_it_is_ready_and_that_it_ends() {
    let (mut bot, manager) = service(None).await;
    assert_eq!(manager.hears().await, "READY=1");
    assert_eq!(bot.stop().await, Some(0));
    assert_eq!(manager.hears().await, "STOPPING=1");
}

#[tokio::test]
async fn signs_of_life_are_given_for_as_long_as_work_is_looked_for() {
    let (bot, manager) = service(Some(Duration::from_secs(30))).await;
    let mut heard = [manager.hears().await, manager.hears().await];
    heard.sort();
    assert_eq!(heard, ["READY=1", "WATCHDOG=1"]);
    bot.model.says("hello");
    let chat = bot.direct();
    chat.says("hi");
    chat.hears().await;
}

#[tokio::test]
async fn watched_so_closely_that_no_work_is_looked_for_in_time_it_gives_no_sign() {
    // It looks every five seconds: after the first look, and before the next, more than a second
    // passes.
    let (bot, manager) = service(Some(Duration::from_secs(1))).await;
    let complains = || bot.log().contains("watchdog not notified");
    while !complains() {
        manager.hears().await;
    }
}

#[tokio::test]
async fn command_says_whether_it_is_well() {
    let (mut bot, window) = bot_with_window(&[]).await;
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
    let port = window.rsplit(':').next().unwrap().to_owned();
    let listen = format!("127.0.0.1:{port}");
    let health = async |bot: &TestBot| {
        let mut command = bot.command();
        command.arg("health").env("SAYSO__HTTP__LISTEN", &listen);
        command
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        let ran = command.output().await.unwrap();
        let words = [ran.stdout, ran.stderr].map(|it| String::from_utf8(it).unwrap());
        (ran.status.code(), words.concat())
    };
    let (code, words) = health(&bot).await;
    assert!(
        code == Some(0) && words.starts_with("ok  running: telegram is connected"),
        "{words}"
    );
    bot.stop().await;
    let (code, words) = health(&bot).await;
    assert!(
        code == Some(1) && words.contains("no Sayso tells its health"),
        "{words}"
    );
}

#[tokio::test]
async fn command_says_whether_one_runs_that_does_not_listen() {
    let mut bot = TestBot::open().await;
    let database = bot.data().join("sayso.db");
    crate::test_bot::eventually("its database", || database.exists()).await;
    let health = async |bot: &TestBot| {
        let mut command = bot.command();
        command
            .arg("health")
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        let ran = command.output().await.unwrap();
        let words = [ran.stdout, ran.stderr].map(|it| String::from_utf8(it).unwrap());
        (ran.status.code(), words.concat())
    };
    let (code, words) = health(&bot).await;
    assert!(
        code == Some(0) && words.starts_with("ok  running: how it is"),
        "{words}"
    );
    bot.kill().await;
    let (code, words) = health(&bot).await;
    assert!(
        code == Some(1) && words.contains("no Sayso runs in"),
        "{words}"
    );
}
