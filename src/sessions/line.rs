//! The order of users in a session: in a group they take turns, so thirty messages from one user do
//! not delay the others.

use sayso_core::transcript::UserId;
use sayso_store::inbox::{self, InboxRow};
use sayso_store::jobs::{self, JobRow, WaitingUser};
use sayso_store::session_work::SessionWork;
use sayso_store::{StoreError, Tx, turns};

/// The longest time for which a piece of an album or of a split text waits for the others, in
/// milliseconds. One that would wait longer came before the clock was set back.
const LONGEST_SETTLING_MS: i64 = 60_000;
/// How long a job waits before it is looked at again while its person is erased, in milliseconds.
const AFTER_ERASING_MS: i64 = 250;
/// How many jobs of a user are looked at: enough for every piece of an album.
const JOBS: i64 = 50;

/// What is next in a session.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// The messages of one user, oldest first; never empty.
    Messages(Vec<InboxRow>),
    /// Work that no message asks for.
    Work(JobRow),
    /// Nothing before this time (milliseconds since 1970).
    NotBefore(i64),
    /// The line is empty.
    Nothing,
}

/// Returns the jobs of the user who has waited longest since their last turn here. Incomplete
/// messages of other users, and users who are being erased, do not delay anyone.
pub async fn next_in_line(tx: &mut Tx, work: &SessionWork, now: i64) -> Result<Next, StoreError> {
    let session = work.session.id;
    let users = match work.who_waits() {
        Some(users) => users,
        None => jobs::who_waits(tx, session).await?,
    };
    let waiting: Vec<_> = users.into_iter().map(|it| (it.user_id, it)).collect();
    let line = match waiting.as_slice() {
        [] | [_] => waiting,
        _ => in_turn(waiting, &turns::latest_users(tx, session).await?),
    };
    let mut earliest: Option<i64> = None;
    for (_, waiting) in line {
        match next_of(tx, work, waiting, now).await? {
            Next::NotBefore(at) => earliest = Some(earliest.map_or(at, |known| known.min(at))),
            Next::Nothing => {}
            found @ (Next::Messages(_) | Next::Work(_)) => return Ok(found),
        }
    }
    Ok(earliest.map_or(Next::Nothing, Next::NotBefore))
}

/// Returns what is next of one user: what they said, then other work that is due.
async fn next_of(
    tx: &mut Tx,
    work: &SessionWork,
    waiting: WaitingUser,
    now: i64,
) -> Result<Next, StoreError> {
    // What is said while somebody is erased is answered by one who knows nothing of before.
    if waiting.is_erased {
        return Ok(Next::NotBefore(now + AFTER_ERASING_MS));
    }
    let user = waiting.user_id;
    if waiting.has_message {
        return Ok(match ready_jobs(tx, work, user, now).await? {
            Ok(jobs) => Next::Messages(jobs),
            Err(at) => Next::NotBefore(at),
        });
    }
    // What is due later than in a minute is found when it is due.
    match waiting.other_due_ms {
        Some(due_ms) if is_settling(due_ms, now) => Ok(Next::NotBefore(due_ms)),
        Some(due_ms) if due_ms <= now => {
            let job = jobs::take_other(tx, work.session.id, user).await?;
            Ok(job.map_or(Next::Nothing, Next::Work))
        }
        Some(_) | None => Ok(Next::Nothing),
    }
}

/// Returns the jobs of a user, or the time before which none can be taken.
async fn ready_jobs(
    tx: &mut Tx,
    work: &SessionWork,
    user: UserId,
    now: i64,
) -> Result<Result<Vec<InboxRow>, i64>, StoreError> {
    let jobs = match work.said_by(user) {
        Some(jobs) => jobs,
        None => inbox::waiting_of(tx, work.session.id, user, JOBS).await?,
    };
    let ready_ms = jobs.first().map_or(now, |first| first.ready_ms);
    Ok(if is_settling(ready_ms, now) {
        Err(ready_ms)
    } else {
        Ok(interrupting_first(jobs))
    })
}

/// Puts what interrupts before whatever else its user has waiting.
fn interrupting_first(mut jobs: Vec<InboxRow>) -> Vec<InboxRow> {
    if let Some(place) = jobs.iter().position(InboxRow::interrupts) {
        let job = jobs.remove(place);
        jobs.insert(0, job);
    }
    jobs
}

/// Orders who waits, in the order of their oldest job, by whose last turn is longest ago; `latest`
/// has the users of the latest turns, newest first. Who had none of these goes first.
fn in_turn<T>(mut waiting: Vec<(UserId, T)>, latest: &[UserId]) -> Vec<(UserId, T)> {
    let age = |user: UserId| {
        let place = latest.iter().position(|other| *other == user);
        place.unwrap_or(latest.len())
    };
    waiting.sort_by_key(|(user, _)| std::cmp::Reverse(age(*user)));
    waiting
}

/// Returns whether a job still waits for further pieces.
pub(super) fn is_settling(ready_ms: i64, now_ms: i64) -> bool {
    (now_ms + 1..=now_ms + LONGEST_SETTLING_MS).contains(&ready_ms)
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::UserId;

    use super::{in_turn, is_settling};

    #[track_caller]
    fn check(waiting: &[i64], latest: &[i64], expected: &[i64]) {
        let waiting = waiting.iter().map(|id| (UserId(*id), ())).collect();
        let latest: Vec<_> = latest.iter().copied().map(UserId).collect();
        let ordered = in_turn(waiting, &latest);
        let ordered: Vec<i64> = ordered.iter().map(|(user, ())| user.0).collect();
        assert_eq!(ordered, expected);
    }

    #[test]
    fn who_had_no_turn_goes_first_and_who_had_the_last_one_goes_last() {
        check(&[1, 2], &[], &[1, 2]);
        check(&[1, 2], &[1], &[2, 1]);
        check(&[1, 2], &[2, 1], &[1, 2]);
        check(&[1, 2, 3], &[1, 1, 2, 1], &[3, 2, 1]);
    }

    #[test]
    fn a_job_from_before_the_clock_was_set_back_waits_for_nothing() {
        let now = 1_000_000_000_000;
        assert!(!is_settling(now - 86_400_000, now));
        assert!(!is_settling(now, now));
        assert!(is_settling(now + 1, now));
        assert!(is_settling(now + 2_000, now));
        assert!(!is_settling(now + 86_400_000, now));
    }
}
