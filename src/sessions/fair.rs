//! Fair scheduling: users take turns, so a user with a hundred chats does not delay the others.

use std::collections::{HashMap, HashSet, VecDeque};

use sayso_core::transcript::{SessionId, UserId};

/// Sessions that have work, in line by user.
#[derive(Debug, Default)]
pub struct FairQueue {
    users: VecDeque<UserId>,
    sessions: HashMap<UserId, VecDeque<SessionId>>,
    waiting: HashSet<(UserId, SessionId)>,
}

impl FairQueue {
    /// Puts a session in line behind the user's other sessions; one that is already in line keeps
    /// its place. A session in which several users wait is in the line of each, so that no user
    /// waits for another user's other sessions.
    pub fn push(&mut self, user: UserId, session: SessionId) {
        if !self.waiting.insert((user, session)) {
            return;
        }
        let line = self.sessions.entry(user).or_default();
        if line.is_empty() {
            self.users.push_back(user);
        }
        line.push_back(session);
    }

    /// Takes the first session of the user who has waited longest since their last one.
    pub fn pop(&mut self) -> Option<(UserId, SessionId)> {
        let user = self.users.pop_front()?;
        let line = self.sessions.get_mut(&user)?;
        let session = line.pop_front()?;
        if line.is_empty() {
            self.sessions.remove(&user);
        } else {
            self.users.push_back(user);
        }
        self.waiting.remove(&(user, session));
        Some((user, session))
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{SessionId, UserId};

    use super::FairQueue;

    #[test]
    fn users_take_turns() {
        let mut queue = FairQueue::default();
        for session in 1..=3 {
            queue.push(UserId(1), SessionId(session));
        }
        queue.push(UserId(2), SessionId(10));
        queue.push(UserId(2), SessionId(10));
        let order: Vec<i64> = std::iter::from_fn(|| queue.pop())
            .map(|(_, session)| session.0)
            .collect();
        assert_eq!(order, [1, 10, 2, 3]);
        assert!(queue.waiting.is_empty());
    }

    #[test]
    fn shared_session_is_in_the_line_of_each_who_waits() {
        let mut queue = FairQueue::default();
        for session in 1..=3 {
            queue.push(UserId(1), SessionId(session));
        }
        queue.push(UserId(2), SessionId(3));
        let order: Vec<i64> = std::iter::from_fn(|| queue.pop())
            .map(|(_, session)| session.0)
            .collect();
        assert_eq!(order, [1, 3, 2, 3]);
    }
}
