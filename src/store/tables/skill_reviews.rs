//! The rows of `skill_reviews`: skills that an owner wants, from the asking until they are in
//! place.

use sayso_core::transcript::{ChatId, Owner, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::owners::{columns, owner_of};
use crate::skill_pins::{SkillPin, SkillPlace};
use crate::sql;
use crate::sql::{named, query};
use crate::{Readers, StoreError, Tx, new_id};

named! {
    /// What is wanted.
    pub enum ReviewWish {
        /// A skill is to be copied into place.
        Install = "install",
        /// An existing skill is to be loaded in its current form.
        Pin = "pin",
        /// An installed one is to be taken away.
        Remove = "remove",
    }
}

named! {
    /// How far it is.
    pub enum ReviewState {
        /// It is looked at.
        Wanted = "wanted",
        /// Owners are asked.
        Open = "open",
        /// One said no.
        Denied = "denied",
        /// None answered in time, or somebody asked anew.
        Expired = "expired",
        /// One said yes: it is put in place.
        Approved = "approved",
        /// It is in place, and loaded next.
        Placed = "placed",
        /// It was done, and said.
        Done = "done",
        /// It could not be done.
        Failed = "failed",
    }
}

/// A skill that an owner wants.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ReviewRow {
    /// Names it.
    pub id: i64,
    /// What is wanted.
    pub wish: ReviewWish,
    /// As it was written: where it is taken from, or its name.
    pub source: String,
    /// The chat of the asking.
    pub chat_id: ChatId,
    /// The language of its person, or of the chat.
    pub language: String,
    /// Where it is asked, as JSON.
    pub address: String,
    place_kind: String,
    place_id: i64,
    owner_kind: String,
    owner_id: i64,
    /// The name, once it is known.
    pub name: String,
    /// The hash of what was shown.
    pub hash: String,
    /// What was shown, as JSON.
    pub kept: String,
    /// How far it is.
    pub state: ReviewState,
}

impl ReviewRow {
    /// Returns whose workspace it was asked in.
    pub fn asked_in(&self) -> Owner {
        owner_of(&self.place_kind, self.place_id)
    }

    /// Returns where the skill lies, or will.
    pub fn place(&self) -> SkillPlace {
        match self.owner_kind.as_str() {
            "all" => SkillPlace::Installed,
            kind => SkillPlace::Workspace(owner_of(kind, self.owner_id)),
        }
    }

    /// Returns the pin that is stored on approval.
    pub fn pin(&self) -> SkillPin {
        SkillPin {
            name: self.name.clone(),
            hash: self.hash.clone(),
            kept: self.kept.clone(),
        }
    }
}

/// A wish of somebody.
#[derive(Debug)]
pub struct NewReview<'a> {
    /// What is wanted.
    pub wish: ReviewWish,
    /// As it was written.
    pub source: &'a str,
    /// Who wants it.
    pub user: UserId,
    /// The chat of the asking.
    pub chat: ChatId,
    /// Where it is asked, as JSON.
    pub address: &'a str,
    /// Whose workspace it is asked in.
    pub asked_in: Owner,
    /// How far it is already.
    pub state: ReviewState,
}

const ROW: &str = "
    SELECT r.id, r.wish, r.source, r.chat_id, r.address, r.place_kind,
           coalesce((SELECT language FROM users WHERE id = r.user_id), c.language) AS language,
           r.place_id, r.owner_kind, r.owner_id, r.name, r.hash, r.kept, r.state
    FROM skill_reviews r JOIN chats c ON c.id = r.chat_id";

/// Adds a wish and returns its id.
pub async fn add(tx: &mut Tx, new: &NewReview<'_>) -> Result<i64, StoreError> {
    let id = new_id();
    let (kind, place) = columns(new.asked_in);
    query(sql!(
        "INSERT INTO skill_reviews (id, wish, source, user_id, chat_id, address, place_kind,
             place_id, owner_kind, owner_id, name, hash, kept, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'all', 0, '', '', '', $9)"
    ))
    .bind(id)
    .bind(new.wish)
    .bind(new.source)
    .bind(new.user)
    .bind(new.chat)
    .bind(new.address)
    .bind(kind)
    .bind(place)
    .bind(new.state)
    .execute(tx.connection())
    .await?;
    Ok(id)
}

/// What was found of what is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// Where it lies, or will.
    pub place: SkillPlace,
    /// The pin that is stored on approval.
    pub pin: &'a SkillPin,
    /// Where it is from, as exactly as is known now.
    pub source: &'a str,
}

/// Keeps what was found, and that owners are asked about it; returns whether the wish
/// was still waiting for that.
pub async fn open(tx: &mut Tx, id: i64, found: &Found<'_>) -> Result<bool, StoreError> {
    let (kind, owner) = found.place.columns();
    let pin = found.pin;
    let moved = query(sql!(
        "UPDATE skill_reviews SET state = 'open', owner_kind = $2, owner_id = $3, name = $4,
             hash = $5, kept = $6, source = $7
         WHERE id = $1 AND state = 'wanted'"
    ))
    .bind(id)
    .bind(kind)
    .bind(owner)
    .bind(&pin.name)
    .bind(&pin.hash)
    .bind(&pin.kept)
    .bind(found.source)
    .execute(tx.connection())
    .await?;
    Ok(moved == 1)
}

/// Returns a wish.
pub async fn review(tx: &mut Tx, id: i64) -> Result<Option<ReviewRow>, StoreError> {
    query(sql!(ROW, " WHERE r.id = $1"))
        .bind(id)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the cards about this skill of this place that are open.
pub async fn open_about(
    tx: &mut Tx,
    place: SkillPlace,
    name: &str,
) -> Result<Vec<ReviewRow>, StoreError> {
    let (kind, owner) = place.columns();
    query(sql!(
        ROW,
        " WHERE r.state = 'open' AND r.owner_kind = $1 AND r.owner_id = $2 AND r.name = $3"
    ))
    .bind(kind)
    .bind(owner)
    .bind(name)
    .fetch_all(tx.connection())
    .await
}

/// Returns what has to be looked at or put in place, the oldest first.
pub async fn unfinished(readers: &Readers) -> Result<Vec<ReviewRow>, StoreError> {
    // The first condition is the one of the partial index.
    query(sql!(
        ROW,
        " WHERE r.state IN ('wanted', 'open', 'approved', 'placed')
           AND r.state <> 'open' ORDER BY r.id"
    ))
    .fetch_all(readers)
    .await
}

/// Returns what is not over yet, by id: its files must stay.
pub async fn living(readers: &Readers) -> Result<Vec<i64>, StoreError> {
    query(sql!(
        "SELECT id FROM skill_reviews WHERE state IN ('wanted', 'open', 'approved', 'placed')"
    ))
    .fetch_all(readers)
    .await
}

/// Takes a wish from one state to the next, once; returns whether this call did it.
pub async fn advance(
    tx: &mut Tx,
    id: i64,
    from: ReviewState,
    to: ReviewState,
) -> Result<bool, StoreError> {
    let moved = query(sql!(
        "UPDATE skill_reviews SET state = $3 WHERE id = $1 AND state = $2"
    ))
    .bind(id)
    .bind(from)
    .bind(to)
    .execute(tx.connection())
    .await?;
    Ok(moved == 1)
}

/// Erases a person (`of_person`): skills that they were shown.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM skill_reviews WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}

#[cfg(test)]
mod tests {
    use sayso_core::ChatKind;
    use sayso_core::transcript::Owner;
    use tempfile::TempDir;

    use super::{Found, NewReview, ReviewState, ReviewWish, add, advance, open};
    use crate::people::AccountStanding;
    use crate::skill_pins::{SkillPin, SkillPlace};
    use crate::{Store, chats, people};

    #[tokio::test]
    async fn a_wish_that_is_over_is_not_asked_about() {
        let home = TempDir::new().unwrap();
        let store = Store::open(&home.path().join("sayso.db")).await.unwrap();
        let opened = store.write(|tx| {
            Box::pin(async move {
                let user =
                    people::add_sender(tx, "telegram", "1", "Ann", AccountStanding::Owner).await?;
                let chat = chats::chat_at(tx, "telegram", "1", ChatKind::Direct, "en").await?;
                let new = NewReview {
                    wish: ReviewWish::Install,
                    source: "/tea",
                    user,
                    chat: chat.id,
                    address: "{}",
                    asked_in: Owner::User(user),
                    state: ReviewState::Wanted,
                };
                let pin = SkillPin {
                    name: "tea".to_owned(),
                    hash: String::new(),
                    kept: String::new(),
                };
                let id = add(tx, &new).await?;
                let found = Found {
                    place: SkillPlace::Installed,
                    pin: &pin,
                    source: "/tea",
                };
                let first = open(tx, id, &found).await?;
                advance(tx, id, ReviewState::Open, ReviewState::Denied).await?;
                let second = open(tx, id, &found).await?;
                let erased = open(tx, id + 1, &found).await?;
                Ok([first, second, erased])
            })
        });
        assert_eq!(opened.await.unwrap(), [true, false, false]);
    }
}
