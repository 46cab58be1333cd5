//! A minute in which ten thousand routines are due.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::future::join_all;
use tokio::time::{sleep, sleep_until};

use crate::figures::Figures;
use crate::line::Line;
use crate::platform::{Chat, Platform};
use crate::process::Process;
use crate::rows::{DAY_MS, Many, keep, number, numbers};
use crate::world::World;

/// How many people have routines.
const PEOPLE: usize = 200;
const REMINDERS: i64 = 3_000;
/// Fifty a second.
const APART_MS: i64 = 20;
const ROUTINES: i64 = 7_000;
const MINUTE: Duration = Duration::from_mins(1);
/// How long a call of the model takes.
const MODEL_TIME: Duration = Duration::from_millis(100);
/// How long after the start the minute begins: what was due a day ago is written down before it, and
/// people are timed.
const BEFORE: Duration = Duration::from_secs(45);
/// How long it takes until that is written, at the most.
const SETTLED: Duration = Duration::from_secs(19);
/// How long people are timed before the minute.
const QUIET: Duration = Duration::from_secs(25);
/// How long after the minute the last rows and messages are waited for.
const AFTER: Duration = Duration::from_secs(3);
/// How often somebody writes, and how many messages of one person that makes.
const WRITES_EVERY: Duration = Duration::from_millis(250);
const EACH: usize = 20;

/// Takes the figures; returns what was broken.
pub async fn take(platform: Platform, line: &mut Line) -> anyhow::Result<Vec<String>> {
    let home = tempfile::tempdir()?;
    let home = home.path();
    let world = World::start(platform, MODEL_TIME).await;
    let process = Process::start(&world, home).await?;
    join_all(world.chats(1, PEOPLE).iter().map(|chat| async {
        chat.says("hello");
        chat.hears().await;
    }))
    .await;
    sleep(Duration::from_secs(1)).await;
    process.kill().await?;
    let begins_ms = now_ms() + BEFORE.as_millis() as i64;
    let reminders = Many {
        kind: "remind",
        count: REMINDERS,
        due_ms: begins_ms,
        apart_ms: APART_MS,
    };
    // Due a day before, and written down as missed at the start: that gives each the start by which
    // the program spreads them over the minute.
    let routines = Many {
        kind: "turn",
        count: ROUTINES,
        due_ms: begins_ms - DAY_MS,
        apart_ms: 0,
    };
    keep(home, reminders)?;
    keep(home, routines)?;
    let kept = Instant::now();
    let begins = kept + BEFORE;
    let _process = Process::start(&world, home).await?;
    sleep_until((kept + SETTLED).into()).await;
    let quiet = answers(&world, 2, kept + SETTLED + QUIET).await;
    sleep_until(begins.into()).await;
    let busy = answers(&world, 3, begins + MINUTE).await;
    sleep(AFTER).await;
    note(line, &quiet, &busy);
    note_rows(home, begins_ms, line)
}

/// Notes how long people waited, with both calls of the model and without.
fn note(line: &mut Line, quiet: &Figures, busy: &Figures) {
    let calls_ms = 2.0 * MODEL_TIME.as_secs_f64() * 1000.0;
    line.note_pair("minute_chat_before", "_ms", quiet);
    line.note_pair("minute_chat", "_ms", busy);
    line.note("minute_chat_ratio", busy.median() / quiet.median());
    line.note("minute_chat_p95_ratio", busy.p95() / quiet.p95());
    let added = [busy, quiet].map(|figures| figures.less(calls_ms).median());
    line.note("minute_chat_added_ratio", added[0] / added[1]);
}

/// Notes what the database knows of the minute.
fn note_rows(
    home: &std::path::Path,
    begins_ms: i64,
    line: &mut Line,
) -> anyhow::Result<Vec<String>> {
    let late = numbers(
        home,
        "SELECT o.sent_ms - r.due_ms FROM routine_runs r
         JOIN prompts p ON p.kind = 'reminder' AND p.subject = r.id
         JOIN outbox o ON o.subject = p.id AND o.edits IS NULL AND o.sent_ms IS NOT NULL
             AND o.purpose = 'notice'",
    )?;
    let claimed = numbers(
        home,
        &format!(
            "SELECT r.created_ms - {begins_ms} FROM routine_runs r JOIN routines o ON o.id = r.routine_id
             WHERE r.due_ms >= {begins_ms} AND o.kind = 'turn'"
        ),
    )?;
    let said = late.len() as i64;
    let rows = claimed.len() as i64;
    let late = Figures::of_milliseconds(&late);
    line.note_pair("minute_reminders_late", "_ms", &late);
    line.note("minute_reminders_late_p99_ms", late.rank(0.99));
    line.note("minute_reminders_said", said as f64);
    line.note("minute_routines_with_row", rows as f64);
    let last = claimed.iter().copied().fold(0.0, f64::max);
    line.note("minute_routines_last_row_s", last / 1000.0);
    let doubled = number(
        home,
        "SELECT count(*) - count(DISTINCT routine_id || ' ' || due_ms) FROM routine_runs",
    )?;
    let early = number(
        home,
        "SELECT count(*) FROM routine_runs WHERE created_ms < due_ms",
    )?;
    line.note("minute_doubled", doubled);
    line.note("minute_early", early);
    let over = number(
        home,
        "SELECT count(*) FROM routine_runs WHERE state = 'done'",
    )?;
    line.note("minute_runs_over", over - said as f64);
    let is_kept = [
        ("reminders were not said", said == REMINDERS),
        ("routines have no row", rows == ROUTINES),
        ("doubled", doubled == 0.0),
        ("early", early == 0.0),
    ];
    let broken = is_kept.into_iter().filter(|(_, is_kept)| !is_kept);
    Ok(broken.map(|(what, _)| what.to_owned()).collect())
}

/// Has people write now and then until a moment, each after the answer to the message before; returns
/// how long they waited.
async fn answers(world: &World, group: i64, until: Instant) -> Figures {
    let most = (until.saturating_duration_since(Instant::now()).as_millis()
        / WRITES_EVERY.as_millis()) as usize;
    let chats = world.chats(group, most / EACH + 1);
    let mut took = Vec::with_capacity(most);
    // Connections open, and the code of a turn in memory.
    answered(&chats[0], usize::MAX).await;
    let begun = Instant::now();
    for number in 0..most {
        sleep_until((begun + WRITES_EVERY * number as u32).into()).await;
        if Instant::now() >= until {
            break;
        }
        took.push(answered(&chats[number / EACH], number).await);
    }
    Figures::of(&took)
}

async fn answered(chat: &Chat, number: usize) -> Duration {
    let text = format!("message {number}.");
    let began = Instant::now();
    chat.says(&text);
    chat.hears_with(|answer| answer.text.contains(&text)).await;
    began.elapsed()
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_millis() as i64
}
