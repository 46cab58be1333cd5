//! Memories of owners that never meet, words that are found, and forgetting that is complete.

use std::collections::{BTreeSet, HashMap};

use sayso_core::transcript::{ChatId, MemoryId, Owner, Taint, TurnId, UserId};
use sayso_store::memories::{self, CANDIDATES, MemoryToKeep};
use sayso_store::people::AccountStanding;
use sayso_store::query;
use sayso_store::sql;
use sayso_store::word_index::{LOOKED_AT, SearchTerms, mark};
use sayso_store::{Store, people};
use tempfile::TempDir;

use super::StoredMemory;
use crate::deeds::{Deed, whatever_is_done};
use crate::{Memory, MemoryKind, MemorySearch, NewMemory, Question, Recalled, Span};

const LIN: Owner = Owner::User(UserId(1));
const ADA: Owner = Owner::User(UserId(2));
/// A group whose number is that of a user.
const GROUP: Owner = Owner::Chat(ChatId(1));

struct Opened {
    memory: StoredMemory,
    store: Store,
    _directory: TempDir,
}

async fn open() -> Opened {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    Opened {
        memory: StoredMemory::new(store.clone()),
        store,
        _directory: directory,
    }
}

impl Opened {
    async fn remember(&self, owner: Owner, text: &str) -> MemoryId {
        self.remember_as(owner, MemoryKind::Fact, text).await
    }

    async fn remember_as(&self, owner: Owner, kind: MemoryKind, text: &str) -> MemoryId {
        let new = NewMemory {
            kind,
            text: text.to_owned(),
            turn: TurnId(1),
            taint: Taint::default(),
        };
        self.memory.remember(owner, new).await.unwrap().unwrap()
    }

    async fn recall(&self, owner: Owner, query: &str) -> Vec<Recalled> {
        self.memory.recall(owner, query, 50).await.unwrap()
    }

    async fn texts(&self, owner: Owner, query: &str) -> Vec<String> {
        let found = self.recall(owner, query).await;
        found.into_iter().map(|memory| memory.text).collect()
    }

    /// Returns how many rows of the index hold a word of Lin's.
    async fn indexed(&self, word: &str) -> i64 {
        query(sql!(
            "SELECT count(*) FROM memory_words WHERE memory_words MATCH $1"
        ))
        .bind(format!("{}{word}", mark(LIN)))
        .fetch_one(self.store.reader())
        .await
        .unwrap()
    }
}

#[tokio::test]
async fn what_one_owner_said_is_found_by_that_owner_only() {
    let opened = open().await;
    opened.remember(LIN, "The door code is 4711").await;
    assert_eq!(opened.texts(LIN, "door code").await.len(), 1);
    assert!(opened.texts(ADA, "door code").await.is_empty());
    assert!(opened.texts(GROUP, "door code").await.is_empty());
}

#[tokio::test]
async fn no_one_forgets_what_belongs_to_another_owner() {
    let opened = open().await;
    let id = opened.remember(LIN, "The door code is 4711").await;
    assert_eq!(opened.memory.forget(ADA, &[id]).await.unwrap(), 0);
    assert_eq!(opened.memory.forget(GROUP, &[id]).await.unwrap(), 0);
    assert_eq!(opened.texts(LIN, "door").await.len(), 1);
}

#[tokio::test]
async fn chinese_words_of_one_and_two_characters_are_found() {
    let opened = open().await;
    let sentence = "我每天早上喝一杯绿茶，养了一只猫";
    opened.remember(LIN, sentence).await;
    for query in ["绿茶", "早上", "猫", "茶", "你知道我喝什么茶吗", "绿茶 tea"] {
        assert_eq!(opened.texts(LIN, query).await, [sentence], "{query}");
    }
    assert!(opened.texts(LIN, "咖啡").await.is_empty());
}

#[tokio::test]
async fn words_are_found_in_other_forms() {
    let opened = open().await;
    opened
        .remember(LIN, "Meetings at the Café on Mondays")
        .await;
    for query in ["meeting", "CAFE", "monday?"] {
        assert_eq!(opened.texts(LIN, query).await.len(), 1, "{query}");
    }
}

#[tokio::test]
async fn the_better_match_comes_first_and_then_the_newer_one() {
    let opened = open().await;
    opened.remember(LIN, "Rex is a dog").await;
    opened.remember(LIN, "Tom is a cat").await;
    opened.remember(LIN, "Kim is a cat").await;
    let found = opened.texts(LIN, "is rex a dog or a cat").await;
    assert_eq!(found, ["Rex is a dog", "Kim is a cat", "Tom is a cat"]);
}

#[tokio::test]
async fn other_spellings_of_the_same_are_found() {
    let opened = open().await;
    for text in [
        "我喜歡喝綠茶",
        "他喜欢喝红茶",
        "ＲＥＸ is a dog",
        "My car is an ABC-12",
    ] {
        opened.remember(LIN, text).await;
    }
    for (query, text) in [
        ("绿茶", "我喜歡喝綠茶"),
        ("綠茶", "我喜歡喝綠茶"),
        ("紅茶", "他喜欢喝红茶"),
        ("rex", "ＲＥＸ is a dog"),
        ("ｒｅｘ的狗", "ＲＥＸ is a dog"),
        ("ａｂｃ车", "My car is an ABC-12"),
    ] {
        let found = opened.texts(LIN, query).await;
        assert_eq!(found.first().map(String::as_str), Some(text), "{query}");
    }
}

#[tokio::test]
async fn a_common_word_does_not_drown_a_rare_one() {
    let opened = open().await;
    opened.remember(LIN, "Once we walked along a glacier").await;
    for number in 0..600 {
        opened
            .remember(LIN, &format!("walk {number} with the dog"))
            .await;
    }
    let found = opened.texts(LIN, "walking the dog on the glacier").await;
    assert_eq!(found[0], "Once we walked along a glacier");
    assert_eq!(found.len(), 50);
}

#[tokio::test]
async fn what_holds_two_common_words_is_found_among_what_holds_one() {
    let opened = open().await;
    opened.remember(LIN, "the dog was in the snow").await;
    for number in 0..CANDIDATES {
        opened.remember(LIN, &format!("dog {number}")).await;
        opened.remember(LIN, &format!("snow {number}")).await;
    }
    let found = opened.texts(LIN, "dog in the snow").await;
    assert_eq!(found[0], "the dog was in the snow");
}

#[tokio::test]
async fn what_was_superseded_takes_no_place_of_what_holds() {
    let opened = open().await;
    opened.remember(LIN, "the code of the door is new").await;
    for number in 0..2 * CANDIDATES {
        opened.remember(LIN, &format!("door code {number}")).await;
    }
    opened
        .store
        .write(|tx| {
            Box::pin(async move {
                query(sql!(
                    "UPDATE memories SET superseded_by = 1 WHERE text LIKE 'door%'"
                ))
                .execute(tx.connection())
                .await?;
                Ok(())
            })
        })
        .await
        .unwrap();
    let found = opened.texts(LIN, "door code").await;
    assert_eq!(found, ["the code of the door is new"]);
}

#[tokio::test]
async fn memories_are_counted_while_they_come_and_go() {
    let opened = open().await;
    let tea = opened.remember(LIN, "likes tea").await;
    opened.remember(LIN, "likes tea").await;
    opened.remember(LIN, "likes cake").await;
    opened.remember(GROUP, "meets on Monday").await;
    opened.memory.forget(LIN, &[tea]).await.unwrap();
    let counted: Vec<(String, i64)> = query(sql!(
        "SELECT owner_kind, entries FROM memory_counts ORDER BY owner_kind"
    ))
    .fetch_all(opened.store.reader())
    .await
    .unwrap();
    assert_eq!(counted, [("chat".to_owned(), 1), ("user".to_owned(), 1)]);
}

#[tokio::test]
async fn what_others_remember_moves_no_result() {
    let opened = open().await;
    opened.remember(LIN, "Rex is a dog").await;
    opened.remember(LIN, "Tom likes tea").await;
    opened.remember(LIN, "Kim likes tea").await;
    let before = opened.texts(LIN, "dog tea").await;
    for number in 0..300 {
        opened.remember(ADA, &format!("dog {number}")).await;
    }
    assert_eq!(opened.texts(LIN, "dog tea").await, before);
    assert_eq!(before[0], "Rex is a dog");
}

#[tokio::test]
async fn a_fact_comes_before_an_episode_that_says_as_much() {
    let opened = open().await;
    opened.remember(LIN, "the tea is green").await;
    opened
        .remember_as(LIN, MemoryKind::Episode, "the tea is black")
        .await;
    let found = opened.texts(LIN, "tea").await;
    assert_eq!(found, ["the tea is green", "the tea is black"]);
}

/// Words that only begin like a word of the question are looked for unless that word is frequent.
#[tokio::test]
async fn a_frequent_word_is_not_looked_for_by_its_beginning() {
    let opened = open().await;
    for (number, expected) in [(100, 1), (400, 0)] {
        let kept = opened.store.write(move |tx| {
            Box::pin(async move {
                for number in 0..number {
                    memories::keep(tx, LIN, &fact(format!("tea {number}"))).await?;
                }
                memories::keep(tx, LIN, &fact("teapot".to_owned())).await?;
                Ok(())
            })
        });
        kept.await.unwrap();
        let terms = ["tea".to_owned(), "teapot*".to_owned()];
        let sought = SearchTerms {
            terms: &terms,
            word_of: &|term| (term == 1).then_some(0),
            worth: &|_, all, held| all as f64 / held as f64,
        };
        let found = memories::candidates(opened.store.reader(), LIN, sought, Span::Now).await;
        let found = found.unwrap();
        let pots = found.rows.iter().filter(|row| row.text == "teapot").count();
        assert_eq!(pots, expected, "{number}");
        assert!(found.held[1] <= found.owned);
    }
}

fn fact(text: String) -> MemoryToKeep {
    MemoryToKeep {
        kind: MemoryKind::Fact,
        words: text.clone(),
        text,
        turn: TurnId(1),
        taint: Taint::default(),
        fact: None,
    }
}

#[tokio::test]
async fn what_a_question_reads_is_bounded() {
    let opened = open().await;
    opened
        .store
        .write(|tx| {
            Box::pin(async move {
                for number in 0..20_000 {
                    let memory = fact(format!("tea {number}"));
                    memories::keep(tx, LIN, &memory).await?;
                }
                Ok(())
            })
        })
        .await
        .unwrap();
    let terms = ["tea".to_owned(), "17".to_owned()];
    let sought = SearchTerms {
        terms: &terms,
        word_of: &|_| None,
        worth: &|_, all, held| all as f64 / held as f64,
    };
    let found = memories::candidates(opened.store.reader(), LIN, sought, Span::Now).await;
    let found = found.unwrap();
    assert_eq!(found.rows.len(), CANDIDATES);
    assert_eq!(found.owned, 20_000);
    let [common, rare] = found.held[..] else {
        panic!("{:?}", found.held)
    };
    assert!((LOOKED_AT as u64..20_000).contains(&common), "{common}");
    assert_eq!(rare, 1);
    assert_eq!(opened.texts(LIN, "tea 17").await[0], "tea 17");
    assert_eq!(opened.texts(LIN, "tea").await[0], "tea 19999");
}

#[tokio::test]
async fn two_questions_in_one_message_have_their_answers_in_turn() {
    let opened = open().await;
    let sister = opened.remember(LIN, "My sister works at the harbour").await;
    for day in 1..=9 {
        let text = format!("The harbour fair of Bergen city opens on day {day}");
        opened.remember(LIN, &text).await;
    }
    let both = "When does the harbour fair of Bergen city open? Also, where does my sister work?";
    let places = opened.recall(LIN, both).await;
    assert_eq!(places[1].id, sister);
    assert!(places[0].text.contains("Bergen"));
    let question = Question {
        text: both,
        limit: 2,
        in_view: &[],
    };
    let found = opened
        .memory
        .search_transcript(LIN, &question)
        .await
        .unwrap();
    assert_eq!(found[1].id, sister);
}

#[tokio::test]
async fn a_date_is_one_however_its_numbers_are_filled_up() {
    let opened = open().await;
    for text in [
        "我的生日是4月7日",
        "论坛的时间是2024-11-08 9:00",
        "路由器是11-18买的",
    ] {
        opened.remember(LIN, text).await;
    }
    assert_eq!(opened.texts(LIN, "04月07日").await, ["我的生日是4月7日"]);
    assert_eq!(
        opened.texts(LIN, "2024-11-8").await[0],
        "论坛的时间是2024-11-08 9:00"
    );
}

#[tokio::test]
async fn an_equal_text_is_touched_and_not_doubled() {
    let opened = open().await;
    let first = opened.remember_as(LIN, MemoryKind::Fact, "likes tea").await;
    let again = opened
        .remember_as(LIN, MemoryKind::Episode, " likes tea\n")
        .await;
    assert_eq!(first, again);
    let found = opened.recall(LIN, "tea").await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, MemoryKind::Fact);
    assert_eq!(opened.indexed("tea").await, 1);
}

#[tokio::test]
async fn what_is_forgotten_is_gone_from_the_index_too() {
    let opened = open().await;
    let tea = opened.remember(LIN, "likes tea").await;
    opened.remember(LIN, "likes coffee").await;
    assert_eq!(opened.memory.forget(LIN, &[tea, tea]).await.unwrap(), 1);
    assert!(opened.texts(LIN, "tea").await.is_empty());
    assert_eq!(opened.indexed("tea").await, 0);
    assert_eq!(opened.texts(LIN, "likes").await, ["likes coffee"]);
    opened.remember(LIN, "likes tea").await;
    assert_eq!(opened.texts(LIN, "tea").await, ["likes tea"]);
}

#[tokio::test]
async fn a_query_is_never_read_as_an_operator() {
    let opened = open().await;
    opened.remember(LIN, "likes tea").await;
    for query in [
        "\"",
        "tea\" OR owner:\"user2",
        "NEAR(tea",
        "words:tea",
        "-tea *",
        "NOT tea",
    ] {
        let found = opened.memory.recall(ADA, query, 5).await.unwrap();
        assert!(found.is_empty(), "{query}");
        opened.memory.recall(LIN, query, 5).await.unwrap();
    }
}

/// Adds two accounts that are not linked.
async fn two_accounts(opened: &Opened) -> (UserId, UserId) {
    opened
        .store
        .write(|tx| {
            Box::pin(async move {
                let one = people::add_sender(tx, "a", "1", "Lin", AccountStanding::Member).await?;
                let other =
                    people::add_sender(tx, "b", "2", "lin#2", AccountStanding::Member).await?;
                Ok((one, other))
            })
        })
        .await
        .unwrap()
}

async fn join(opened: &Opened, one: UserId, other: UserId) {
    opened
        .store
        .write(move |tx| Box::pin(async move { people::join(tx, one, other).await }))
        .await
        .unwrap();
}

async fn part(opened: &Opened, user: UserId) {
    opened
        .store
        .write(move |tx| Box::pin(async move { people::part(tx, user).await }))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_person_reads_what_each_account_said_as_long_as_they_are_joined() {
    let opened = open().await;
    let (one, other) = two_accounts(&opened).await;
    let (by_one, by_other) = (Owner::User(one), Owner::User(other));
    opened.remember(by_one, "green tea").await;
    opened.remember(by_other, "black tea").await;
    opened
        .remember(Owner::Chat(ChatId(other.0)), "group tea")
        .await;
    assert_eq!(opened.texts(by_one, "tea").await, ["green tea"]);
    join(&opened, one, other).await;
    assert_eq!(
        opened.texts(by_one, "tea").await,
        ["black tea", "green tea"]
    );
    assert_eq!(
        opened.texts(by_other, "tea").await,
        ["black tea", "green tea"]
    );
    opened.remember(by_other, "white tea").await;
    part(&opened, other).await;
    assert_eq!(opened.texts(by_one, "tea").await, ["green tea"]);
    assert_eq!(
        opened.texts(by_other, "tea").await,
        ["white tea", "black tea"]
    );
}

#[tokio::test]
async fn what_two_accounts_of_a_person_remember_is_found_and_forgotten_once() {
    let opened = open().await;
    let (one, other) = two_accounts(&opened).await;
    let (by_one, by_other) = (Owner::User(one), Owner::User(other));
    for owner in [by_one, by_other] {
        opened.remember(owner, "likes tea").await;
        opened.remember(owner, "likes cake").await;
    }
    join(&opened, one, other).await;
    let found = opened.recall(by_one, "tea").await;
    assert_eq!(found.len(), 1);
    assert_eq!(
        opened
            .memory
            .recall(by_one, "likes", 2)
            .await
            .unwrap()
            .len(),
        2
    );
    let forgotten = opened.memory.forget(by_other, &[found[0].id]).await;
    assert_eq!(forgotten.unwrap(), 1);
    assert_eq!(opened.indexed("tea").await, 0);
    part(&opened, other).await;
    assert_eq!(opened.texts(by_one, "likes").await, ["likes cake"]);
    assert_eq!(opened.texts(by_other, "likes").await, ["likes cake"]);
}

#[tokio::test]
async fn empty_and_overlong_texts_are_refused() {
    let opened = open().await;
    for text in [" ".to_owned(), "长".repeat(2001)] {
        let new = NewMemory {
            kind: MemoryKind::Fact,
            text,
            turn: TurnId(1),
            taint: Taint::default(),
        };
        let error = opened.memory.remember(LIN, new).await.unwrap_err();
        assert!(error.to_string().contains("1-2000 characters"), "{error}");
    }
}

async fn owners_never_meet_after(deeds: Vec<Deed>) {
    let opened = open().await;
    let mut expected: HashMap<Owner, BTreeSet<&str>> = HashMap::new();
    for deed in deeds {
        match deed {
            Deed::CatchUp => {}
            Deed::Remember(owner, text) => {
                opened.remember(owner, text).await;
                expected.entry(owner).or_default().insert(text);
            }
            Deed::Forget(owner, text) => {
                let found = opened.recall(owner, text).await;
                let ids: Vec<_> = found
                    .iter()
                    .filter(|memory| memory.text == text)
                    .map(|memory| memory.id)
                    .collect();
                opened.memory.forget(owner, &ids).await.unwrap();
                expected.entry(owner).or_default().remove(text);
            }
        }
    }
    for (owner, texts) in expected {
        let found = opened.texts(owner, "green 绿茶 tea").await;
        assert_eq!(found.len(), texts.len(), "{owner:?}");
        let found: BTreeSet<_> = found.iter().map(String::as_str).collect();
        assert_eq!(found, texts, "{owner:?}");
    }
}

#[test]
fn owners_never_meet() {
    whatever_is_done(owners_never_meet_after);
}
