//! Isolation between owners: many people, linked accounts and groups store the same few texts, and
//! no operation of the memory may find, change or delete a memory of another owner.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sayso_core::transcript::{ChatId, MemoryId, Owner, Taint, TurnId, UserId};
use sayso_store::people::AccountStanding;
use sayso_store::query;
use sayso_store::sql;
use sayso_store::{memories, people};
use serde_json::{Value, json};

use super::tests::{Opened, call, open};
use super::{MemoryForget, MemoryRecall, MemoryStore, Reader};
use crate::{Learned, MemoryKind, MemoryUpdate, NewFact, NewMemory, Source, Span, forget, meant};

/// How many people there are, each with one account, and how many groups.
const PEOPLE: usize = 6;
const GROUPS: usize = 3;
const TEXTS: [&str; 5] = [
    "likes green tea",
    "likes green tea and cake",
    "lives in Berlin",
    "喜欢绿茶",
    "住在柏林",
];
const QUERIES: [&str; 4] = ["green tea likes", "lives Berlin", "绿茶", "柏林"];

/// What somebody does, by the number of an owner, of a text, and of a memory of anybody.
#[derive(Debug, Clone)]
enum Deed {
    Tells(usize, usize),
    Learns(usize, usize),
    LearnsInPlaceOf(usize, usize, usize),
    Summarises(usize, usize),
    Updates(usize, usize, usize),
    Recalls(usize, usize, bool),
    ForgetsById(usize, usize),
    ForgetsByQuery(usize, usize),
    ForgetsByCommand(usize, usize),
    Undoes(usize, usize),
    Exports(usize),
    Joins(usize, usize),
    Parts(usize),
}

fn reader(owner: Owner) -> Reader {
    let user = UserId(1);
    Reader { owner, user }
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let (who, text, id) = (0..PEOPLE + GROUPS, 0..TEXTS.len(), 0..64_usize);
    let query = 0..QUERIES.len();
    let one = prop_oneof![
        4 => (who.clone(), text.clone()).prop_map(|(who, text)| Deed::Tells(who, text)),
        4 => (who.clone(), text.clone()).prop_map(|(who, text)| Deed::Learns(who, text)),
        3 => (who.clone(), text.clone(), id.clone()).prop_map(|(a, b, c)| Deed::LearnsInPlaceOf(a, b, c)),
        1 => (who.clone(), text.clone()).prop_map(|(who, text)| Deed::Summarises(who, text)),
        3 => (who.clone(), text.clone(), id.clone()).prop_map(|(a, b, c)| Deed::Updates(a, b, c)),
        4 => (who.clone(), query.clone(), any::<bool>()).prop_map(|(a, b, c)| Deed::Recalls(a, b, c)),
        2 => (who.clone(), id.clone()).prop_map(|(who, any)| Deed::ForgetsById(who, any)),
        1 => (who.clone(), query.clone()).prop_map(|(who, query)| Deed::ForgetsByQuery(who, query)),
        1 => (who.clone(), query).prop_map(|(who, query)| Deed::ForgetsByCommand(who, query)),
        2 => (who.clone(), id).prop_map(|(who, any)| Deed::Undoes(who, any)),
        2 => who.clone().prop_map(Deed::Exports),
        1 => (0..PEOPLE, 0..PEOPLE).prop_map(|(one, other)| Deed::Joins(one, other)),
        1 => (0..PEOPLE).prop_map(Deed::Parts),
    ];
    prop::collection::vec(one, 1..60)
}

/// Owners with what is known of them from outside.
struct World {
    opened: Opened,
    owners: Vec<Owner>,
    /// Which person each account is.
    person: HashMap<UserId, usize>,
    learned: Vec<Learned>,
    /// The words of whom are in the tombstones is not asked here; this counts up for new persons.
    persons: usize,
}

/// A row as it stands.
type Row = (String, i64, String, i64, Option<i64>);

impl World {
    async fn new() -> Self {
        let opened = open().await;
        let users = opened
            .store
            .write(|tx| {
                Box::pin(async move {
                    let mut users = Vec::new();
                    for number in 0..PEOPLE {
                        let name = number.to_string();
                        let user = people::add_sender(
                            tx,
                            "telegram",
                            &name,
                            &name,
                            AccountStanding::Member,
                        )
                        .await?;
                        users.push(user);
                    }
                    Ok(users)
                })
            })
            .await
            .unwrap();
        // A group may have the number of a person.
        let groups = users
            .iter()
            .take(GROUPS)
            .map(|user| Owner::Chat(ChatId(user.0)));
        let owners = users
            .iter()
            .copied()
            .map(Owner::User)
            .chain(groups)
            .collect();
        Self {
            opened,
            owners,
            person: users.iter().copied().zip(0..).collect(),
            learned: Vec::new(),
            persons: PEOPLE,
        }
    }

    /// Returns whether an owner may see the row of another one.
    fn shares(&self, one: Owner, other: Owner) -> bool {
        match (one, other) {
            (Owner::User(one), Owner::User(other)) => self.person[&one] == self.person[&other],
            (Owner::Chat(one), Owner::Chat(other)) => one == other,
            (Owner::User(_), Owner::Chat(_)) | (Owner::Chat(_), Owner::User(_)) => false,
        }
    }

    async fn rows(&self) -> BTreeMap<i64, Row> {
        let rows: Vec<(i64, String, i64, String, i64, Option<i64>)> = query(sql!(
            "SELECT id, owner_kind, owner_id, text, touched_ms, superseded_by FROM memories"
        ))
        .fetch_all(self.opened.store.reader())
        .await
        .unwrap();
        rows.into_iter()
            .map(|(id, kind, owner, text, touched, by)| (id, (kind, owner, text, touched, by)))
            .collect()
    }

    fn owner_of(row: &Row) -> Owner {
        match row.0.as_str() {
            "chat" => Owner::Chat(ChatId(row.1)),
            _ => Owner::User(UserId(row.1)),
        }
    }

    /// Returns the memory with this number, regardless of its owner.
    async fn any_memory(&self, number: usize) -> MemoryId {
        let rows = self.rows().await;
        let id = rows.keys().nth(number % rows.len().max(1));
        MemoryId(id.copied().unwrap_or(1))
    }

    fn fact(text: usize, source: Source, replaces: Option<MemoryId>) -> NewFact {
        NewFact {
            text: TEXTS[text].to_owned(),
            topic: None,
            confidence: 50,
            source,
            turn: TurnId(1),
            taint: Taint::default(),
            valid_from_ms: None,
            valid_until_ms: None,
            replaces,
        }
    }

    /// Does a deed; returns who did it and the ids of what they were shown.
    async fn does(&mut self, deed: &Deed) -> (Option<Owner>, Vec<MemoryId>) {
        let memory = self.opened.memory.clone();
        let by = |who: &usize| self.owners[*who];
        let (who, shown) = match deed {
            Deed::Tells(who, text) => (by(who), self.tells(by(who), *text).await),
            Deed::Updates(who, text, any) => (by(who), self.updates(by(who), *text, *any).await),
            Deed::Recalls(who, query, past) => {
                (by(who), self.recalls(by(who), *query, *past).await)
            }
            Deed::Exports(who) => (by(who), self.exports(by(who)).await),
            Deed::ForgetsById(who, any) => {
                let id = self.any_memory(*any).await.to_string();
                (by(who), self.forgets(by(who), json!({ "id": id })).await)
            }
            Deed::ForgetsByQuery(who, query) => {
                let arguments = json!({ "query": QUERIES[*query] });
                (by(who), self.forgets(by(who), arguments).await)
            }
            Deed::ForgetsByCommand(who, query) => {
                (by(who), self.forgets_by_command(by(who), *query).await)
            }
            Deed::Summarises(who, text) => {
                let new = NewMemory {
                    kind: MemoryKind::Episode,
                    text: TEXTS[*text].to_owned(),
                    turn: TurnId(1),
                    taint: Taint::default(),
                };
                memory.remember(by(who), new).await.unwrap();
                (by(who), vec![])
            }
            Deed::Undoes(who, any) => {
                let learned = self.learned.get(*any % self.learned.len().max(1));
                if let Some(learned) = learned {
                    memory.undo(by(who), learned).await.unwrap();
                }
                (by(who), vec![])
            }
            Deed::Learns(who, text) => {
                let who = by(who);
                self.learns(who, *text, None).await;
                (who, vec![])
            }
            Deed::LearnsInPlaceOf(who, text, any) => {
                let (who, old) = (by(who), self.any_memory(*any).await);
                self.learns(who, *text, Some(old)).await;
                (who, vec![])
            }
            Deed::Joins(one, other) => {
                self.joins(*one, *other).await;
                return (None, vec![]);
            }
            Deed::Parts(who) => {
                self.parts(*who).await;
                return (None, vec![]);
            }
        };
        (Some(who), shown)
    }

    async fn tells(&self, owner: Owner, text: usize) -> Vec<MemoryId> {
        let tool = MemoryStore::new(self.opened.memory.clone());
        let call = call("memory_store", json!({ "text": TEXTS[text] }));
        let told = tool.store(owner, TurnId(1), &Taint::default(), &call).await;
        ids_in(told.as_deref().unwrap_or_default())
    }

    async fn updates(&self, owner: Owner, text: usize, any: usize) -> Vec<MemoryId> {
        let id = self.any_memory(any).await.to_string();
        let tool = MemoryUpdate::new(self.opened.memory.clone());
        let call = call("memory_update", json!({ "id": id, "text": TEXTS[text] }));
        let told = tool
            .update(owner, TurnId(1), &Taint::default(), &call)
            .await;
        ids_in(told.as_deref().unwrap_or_default())
    }

    async fn recalls(&self, owner: Owner, query: usize, past: bool) -> Vec<MemoryId> {
        let tool = MemoryRecall::new(self.opened.memory.clone());
        let arguments = json!({ "query": QUERIES[query], "limit": 20, "past": past });
        let call = call("memory_recall", arguments);
        let told = tool.recall(reader(owner), &[], &call).await;
        ids_in(&told.unwrap())
    }

    async fn exports(&self, owner: Owner) -> Vec<MemoryId> {
        let store = &self.opened.store;
        let rows = store.write(move |tx| {
            Box::pin(async move { memories::newest(tx, owner, usize::from(u16::MAX)).await })
        });
        rows.await.unwrap().iter().map(|row| row.id).collect()
    }

    async fn learns(&mut self, owner: Owner, text: usize, old: Option<MemoryId>) {
        let new = Self::fact(text, Source::Learned, old);
        let learned = self.opened.memory.learn(owner, new).await;
        self.learned.push(learned.unwrap());
    }

    async fn forgets_by_command(&self, owner: Owner, query: usize) -> Vec<MemoryId> {
        let ids = self.opened.store.write(move |tx| {
            Box::pin(async move {
                let meant = meant(tx, owner, QUERIES[query]).await?;
                let ids: Vec<_> = meant.iter().map(|row| row.id).collect();
                forget(tx, owner, &ids).await?;
                Ok(ids)
            })
        });
        ids.await.unwrap()
    }

    async fn forgets(&self, owner: Owner, arguments: Value) -> Vec<MemoryId> {
        let tool = MemoryForget::new(self.opened.memory.clone());
        let told = tool
            .forget(reader(owner), &call("memory_forget", arguments))
            .await;
        ids_in(told.as_deref().unwrap_or_default())
    }

    async fn joins(&mut self, one: usize, other: usize) {
        let users: Vec<UserId> = self.owners.iter().filter_map(user).collect();
        let (one, other) = (users[one], users[other]);
        if self.person[&one] == self.person[&other] {
            return;
        }
        let joined = self
            .opened
            .store
            .write(move |tx| Box::pin(async move { people::join(tx, one, other).await }));
        joined.await.unwrap();
        let (to, from) = (self.person[&one], self.person[&other]);
        for person in self.person.values_mut().filter(|person| **person == from) {
            *person = to;
        }
    }

    async fn parts(&mut self, who: usize) {
        let Some(user) = user(&self.owners[who]) else {
            return;
        };
        let parted = self
            .opened
            .store
            .write(move |tx| Box::pin(async move { people::part(tx, user).await }));
        parted.await.unwrap();
        self.person.insert(user, self.persons);
        self.persons += 1;
    }

    /// Fails when an operation returned or changed a memory of another owner.
    async fn check(&mut self, deed: &Deed) {
        let before = self.rows().await;
        let (who, shown) = self.does(deed).await;
        let after = self.rows().await;
        let Some(who) = who else {
            assert_eq!(before, after, "{deed:?}");
            return;
        };
        for id in shown {
            let row = before.get(&id.0).or_else(|| after.get(&id.0));
            let owner = row.map(Self::owner_of);
            assert!(
                owner.is_none_or(|owner| self.shares(who, owner)),
                "{deed:?} of {who:?} shows {row:?}"
            );
        }
        let foreign = |rows: &BTreeMap<i64, Row>| -> Vec<(i64, Row)> {
            let rows = rows.iter().map(|(id, row)| (*id, row.clone()));
            rows.filter(|(_, row)| !self.shares(who, Self::owner_of(row)))
                .collect()
        };
        assert_eq!(foreign(&before), foreign(&after), "{deed:?} of {who:?}");
        for (id, row) in &after {
            let by = row.4.and_then(|by| after.get(&by)).map(|by| by.0.clone());
            assert!(
                by.is_none_or(|kind| kind == row.0),
                "{id} is superseded across owners"
            );
        }
    }
}

fn user(owner: &Owner) -> Option<UserId> {
    match owner {
        Owner::User(user) => Some(*user),
        Owner::Chat(_) => None,
    }
}

/// Returns the ids in what a tool said.
fn ids_in(told: &str) -> Vec<MemoryId> {
    told.split("(id ")
        .skip(1)
        .filter_map(|rest| rest.split([',', ')']).next()?.parse().ok())
        .map(MemoryId)
        .collect()
}

#[test]
fn no_one_meets_what_is_somebody_elses_whatever_is_done() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config {
        cases: 24,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&deeds(), |deeds| {
            runtime.block_on(async {
                let mut world = World::new().await;
                for deed in &deeds {
                    world.check(deed).await;
                }
            });
            Ok(())
        })
        .unwrap();
}

/// Equal words of two owners are hashed apart, so a tombstone of one keeps nothing from the other.
#[tokio::test]
async fn what_one_forgot_the_others_still_learn() {
    let world = World::new().await;
    let memory = world.opened.memory.clone();
    let (forgets, others) = world.owners.split_first().unwrap();
    let learned = memory
        .learn(*forgets, World::fact(0, Source::Learned, None))
        .await;
    let Learned::New(id) = learned.unwrap() else {
        panic!("it was not new");
    };
    memory.forget(*forgets, &[id]).await.unwrap();
    for other in others {
        let learned = memory
            .learn(*other, World::fact(0, Source::Learned, None))
            .await;
        assert!(matches!(learned.unwrap(), Learned::New(_)), "{other:?}");
    }
    let again = memory
        .learn(*forgets, World::fact(0, Source::Learned, None))
        .await;
    assert_eq!(again.unwrap(), Learned::Suppressed);
    assert!(
        memory
            .find(*forgets, "tea", 9, Span::Ever)
            .await
            .unwrap()
            .is_empty()
    );
}
