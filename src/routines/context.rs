//! What routines work with, and the limits that the configuration sets.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono_tz::Tz;
use sayso_channel::Language;
use sayso_core::transcript::{Role, UserId};
use sayso_store::personal_times::{self, PersonalTimes};
use sayso_store::routines::RoutineKind;
use sayso_store::{StoreError, Tx, languages};
use tokio::sync::Notify;

use super::plan::Late;
use super::quiet_hours::QuietHours;
use super::webhook_key::WebhookKey;
use crate::bus::Bus;
use crate::delivery::OutboxWriter;

/// The limits of routines, from `[routines]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutineLimits {
    /// Whether anything is started.
    pub enabled: bool,
    /// By whose clock people live who named no zone.
    pub zone: Tz,
    /// The shortest time between two runs of a model, in minutes.
    pub shortest_minutes: i64,
    /// How many routines with turns a person has at most.
    pub most: usize,
    /// By how much runs of models are spread behind their minute at most.
    pub spread: Duration,
    /// What becomes of a missed run, where its routine does not say.
    pub late: Late,
    /// When unasked messages wait, for people who set nothing.
    pub quiet_hours: QuietHours,
    /// How long it is known what became of an occurrence; `None`: for ever.
    pub keep_runs: Option<Duration>,
    /// How many runs of one routine events start in an hour.
    pub triggered_per_hour: usize,
}

/// The shortest time between two reminders, in minutes.
const SHORTEST_REMINDER_MINUTES: i64 = 1;
/// How many reminders a person has at most.
const MOST_REMINDERS: usize = 200;

impl RoutineLimits {
    /// Returns the shortest time between two occurrences, in minutes.
    pub fn shortest_minutes_of(&self, kind: RoutineKind) -> i64 {
        match kind {
            RoutineKind::Turn => self.shortest_minutes,
            RoutineKind::Remind => SHORTEST_REMINDER_MINUTES,
        }
    }

    /// Returns how many a person has at most.
    pub fn most_of(&self, kind: RoutineKind) -> usize {
        match kind {
            RoutineKind::Turn => self.most,
            RoutineKind::Remind => MOST_REMINDERS,
        }
    }
}

/// What a person may do now: the access lists know.
#[async_trait]
pub trait Permissions: Send + Sync {
    /// Returns what a user may do, who could do `before` when they last said something; `None`:
    /// nothing any more.
    async fn role(
        &self,
        tx: &mut Tx,
        user: UserId,
        before: Role,
    ) -> Result<Option<Role>, StoreError>;
}

/// What routines work with. Clones share it.
#[derive(Clone)]
pub struct RoutineContext {
    /// What speaks.
    pub outbox: OutboxWriter,
    /// Who may still do what.
    pub permissions: Arc<dyn Permissions>,
    /// Wakes sessions.
    pub bus: Bus,
    /// The limits.
    pub limits: Arc<RoutineLimits>,
    /// Wakes the scheduler when something is due earlier than it knew.
    pub changed: Arc<Notify>,
    /// The language of the instance, where one is configured.
    pub language: Option<Language>,
    /// Where the workspaces are.
    pub workspaces: PathBuf,
    /// What the keys of webhooks are derived from; `None`: no HTTP listener is open.
    pub webhook_key: Option<Arc<WebhookKey>>,
}

/// By whose clock a person lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersonalZone {
    /// The zone.
    pub zone: Tz,
    /// Whether the person named it; else it is that of the configuration.
    pub is_known: bool,
}

/// Everybody may do what they could do.
#[cfg(test)]
struct Unchanged;

#[cfg(test)]
#[async_trait]
impl Permissions for Unchanged {
    async fn role(
        &self,
        _tx: &mut Tx,
        _user: UserId,
        before: Role,
    ) -> Result<Option<Role>, StoreError> {
        Ok(Some(before))
    }
}

#[cfg(test)]
impl RoutineContext {
    /// Returns one with usual limits.
    pub fn for_test(outbox: OutboxWriter) -> Self {
        let limits = RoutineLimits {
            enabled: true,
            zone: Tz::UTC,
            shortest_minutes: 15,
            most: 20,
            spread: Duration::from_mins(1),
            late: Late::Half,
            quiet_hours: QuietHours::Off,
            keep_runs: None,
            triggered_per_hour: 6,
        };
        Self {
            outbox,
            permissions: Arc::new(Unchanged),
            bus: Bus::new().0,
            limits: Arc::new(limits),
            changed: Arc::default(),
            language: None,
            workspaces: PathBuf::new(),
            webhook_key: None,
        }
    }
}

impl RoutineContext {
    /// Returns the zone of this name; where there is none, that of the configuration.
    pub(super) fn zone_named(&self, name: &str) -> Tz {
        name.parse().unwrap_or(self.limits.zone)
    }

    /// Returns the language of our own texts for a user.
    pub async fn language_of(&self, tx: &mut Tx, user: UserId) -> Result<Language, StoreError> {
        let known = languages::of_user(tx, user).await?;
        let language = known.language().map(Language::nearest);
        Ok(language.or(self.language).unwrap_or_default())
    }
}

impl RoutineLimits {
    /// Returns by whose clock a person lives who set this.
    pub fn zone_by(&self, set: &PersonalTimes) -> PersonalZone {
        let known = set.zone.as_deref().and_then(|zone| zone.parse().ok());
        PersonalZone {
            zone: known.unwrap_or(self.zone),
            is_known: known.is_some(),
        }
    }

    /// Returns by whose clock a person lives.
    pub async fn zone_of(&self, tx: &mut Tx, user: UserId) -> Result<PersonalZone, StoreError> {
        Ok(self.zone_by(&personal_times::of_in(tx, user).await?))
    }

    /// Returns when unasked messages wait for a person who set this.
    pub fn quiet_by(&self, set: &PersonalTimes) -> QuietHours {
        let known = set.quiet.as_deref().and_then(QuietHours::parse);
        known.unwrap_or(self.quiet_hours)
    }
}
