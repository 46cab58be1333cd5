//! Somebody who asks `/health` all the time, and remembers when it was well and when not.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use crate::test_bot::{PATIENCE, TestBot, found};

/// How often it is asked.
const EVERY: Duration = Duration::from_millis(50);

/// A running watch; dropping it ends it.
pub struct Watch {
    /// Written by the task that asks.
    seen: Arc<Mutex<Vec<(Instant, bool)>>>,
    asking: JoinHandle<()>,
}

impl Watch {
    /// Begins to ask, and returns once Sayso has been well.
    pub async fn begin(bot: &TestBot) -> Self {
        let window = found(|| {
            let log = bot.log();
            let line = log
                .lines()
                .find(|line| line.contains("serving health and metrics"))?;
            Some(line.split_once("address=")?.1.trim().to_owned())
        });
        let address = window.await.unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let asking = tokio::spawn(ask(address, Arc::clone(&seen)));
        let watch = Self { seen, asking };
        let well = watch.waits_until_well(Instant::now(), PATIENCE).await;
        assert!(well.is_some(), "{}", bot.log());
        watch
    }

    /// Returns how long after this moment health first was not well, if it has been so.
    pub fn noticed_since(&self, began: Instant) -> Option<Duration> {
        self.first(began, false)
    }

    /// Waits until health is well, and returns how long after this moment it became so.
    pub async fn waits_until_well(&self, ended: Instant, within: Duration) -> Option<Duration> {
        let waiting = async {
            loop {
                match self.well_since(ended) {
                    Some(after) => return after,
                    None => tokio::time::sleep(EVERY).await,
                }
            }
        };
        tokio::time::timeout(within, waiting).await.ok()
    }

    /// Returns how long after this moment health last became well, if it is well now.
    fn well_since(&self, ended: Instant) -> Option<Duration> {
        let seen = self.seen.lock().unwrap();
        let (_, is_well) = seen.last()?;
        let since = seen
            .iter()
            .rev()
            .take_while(|(at, well)| *well && *at >= ended)
            .last();
        since.filter(|_| *is_well).map(|(at, _)| *at - ended)
    }

    fn first(&self, from: Instant, wanted: bool) -> Option<Duration> {
        let seen = self.seen.lock().unwrap();
        let (at, _) = seen
            .iter()
            .find(|(at, well)| *at >= from && *well == wanted)?;
        Some(*at - from)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.asking.abort();
    }
}

async fn ask(address: String, seen: Arc<Mutex<Vec<(Instant, bool)>>>) {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("http://{address}/health");
    loop {
        let answer = client.get(&url).timeout(Duration::from_secs(2)).send();
        let is_well = answer
            .await
            .is_ok_and(|answer| answer.status().is_success());
        seen.lock().unwrap().push((Instant::now(), is_well));
        tokio::time::sleep(EVERY).await;
    }
}
