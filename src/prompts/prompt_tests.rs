//! A press counts once, in its place, for those who are asked, and in time.

use sayso_channel::ChatKind;
use sayso_core::transcript::{ChatId, Role, SessionId, UserId};
use sayso_store::people::AccountStanding;
use sayso_store::prompts::Audience;
use sayso_store::{Store, StoreError, Tx, chats, people};
use tempfile::TempDir;

use super::{
    Asked, NewPrompt, Place, Press, PressedButton, Presser, PromptKind, Refusal, expire,
    next_expiry, open, press, reopen, withdraw_about,
};

const EXPIRES_MS: i64 = 1_000;

async fn store() -> (TempDir, Store) {
    let home = TempDir::new().unwrap();
    let store = Store::open(&home.path().join("sayso.db")).await.unwrap();
    (home, store)
}

/// Returns one person and the chat and session in which they are.
async fn someone(tx: &mut Tx) -> Result<(UserId, ChatId, SessionId), StoreError> {
    let user = people::add_sender(tx, "chat", "1", "Ann", AccountStanding::Member).await?;
    let chat = chats::chat_at(tx, "chat", "1", ChatKind::Direct, "en").await?;
    let session = chats::session_at(tx, chat.id, "").await?;
    Ok((user, chat.id, session))
}

/// Asks Ann in her chat, has these press in turn, and returns what each press came to.
async fn outcomes(
    asked: fn(UserId) -> Asked,
    pressers: Vec<fn(Presser) -> Presser>,
) -> Vec<Result<(), Refusal>> {
    let (_home, store) = store().await;
    let outcomes = store.write(move |tx| {
        Box::pin(async move {
            let (user, chat, session) = someone(tx).await?;
            let new = NewPrompt {
                kind: PromptKind::Forget,
                place: Place::Chat(chat),
                asked: asked(user),
                subject: Some(7),
                payload: &vec![1, 2],
                expires_ms: Some(EXPIRES_MS),
            };
            let data = open(tx, new).await?.button("yes");
            let button = PressedButton::parse(&data).unwrap();
            let ann = Presser {
                user,
                role: Role::Member,
                chat,
                session,
                now_ms: 0,
            };
            let mut outcomes = Vec::new();
            for presser in pressers {
                outcomes.push(match press(tx, &button, &presser(ann)).await? {
                    Press::Answers(prompt) => {
                        assert_eq!(prompt.payload::<Vec<i64>>()?, [1, 2]);
                        Ok(())
                    }
                    Press::Expires(_) => Err(Refusal::Expired),
                    Press::Refused(refusal, _) => Err(refusal),
                });
            }
            Ok(outcomes)
        })
    });
    outcomes.await.unwrap()
}

fn herself(ann: Presser) -> Presser {
    ann
}

fn another(ann: Presser) -> Presser {
    Presser {
        user: UserId(ann.user.0 + 1),
        ..ann
    }
}

fn an_owner(ann: Presser) -> Presser {
    Presser {
        role: Role::Owner,
        ..another(ann)
    }
}

fn elsewhere(ann: Presser) -> Presser {
    Presser {
        chat: ChatId(ann.chat.0 + 1),
        ..ann
    }
}

fn too_late(ann: Presser) -> Presser {
    Presser {
        now_ms: EXPIRES_MS,
        ..ann
    }
}

#[tokio::test]
async fn the_first_press_of_the_one_who_is_asked_counts() {
    let not_yours = Err(Refusal::NotYours(Audience::User));
    assert_eq!(
        outcomes(
            Asked::User,
            vec![elsewhere, another, an_owner, herself, herself, too_late]
        )
        .await,
        [
            Err(Refusal::Unknown),
            not_yours,
            not_yours,
            Ok(()),
            Err(Refusal::AlreadyAnswered),
            Err(Refusal::AlreadyAnswered),
        ]
    );
}

#[tokio::test]
async fn owners_answer_what_they_are_asked() {
    assert_eq!(
        outcomes(|_| Asked::Owners, vec![herself, an_owner]).await,
        [Err(Refusal::NotYours(Audience::Owner)), Ok(())]
    );
    assert_eq!(
        outcomes(Asked::UserOrOwners, vec![another, an_owner]).await,
        [Err(Refusal::NotYours(Audience::UserOrOwner)), Ok(())]
    );
}

#[tokio::test]
async fn a_late_press_closes_the_prompt() {
    assert_eq!(
        outcomes(Asked::User, vec![too_late, herself]).await,
        [Err(Refusal::Expired), Err(Refusal::Expired)]
    );
}

#[tokio::test]
async fn a_closed_prompt_holds_nothing_and_one_left_open_holds_what_it_did() {
    let (_home, store) = store().await;
    let held = store.write(|tx| {
        Box::pin(async move {
            let (user, chat, session) = someone(tx).await?;
            let new = |kind, expires_ms| NewPrompt {
                kind,
                place: Place::Session(session),
                asked: Asked::User(user),
                subject: Some(7),
                payload: &"tea",
                expires_ms: Some(expires_ms),
            };
            let presser = Presser {
                user,
                role: Role::Member,
                chat,
                session,
                now_ms: 0,
            };
            let mut held = Vec::new();
            let asked = open(tx, new(PromptKind::Question, 2)).await?;
            let data = asked.button("0");
            let button = PressedButton::parse(&data).unwrap();
            for is_left_open in [true, false] {
                let Press::Answers(prompt) = press(tx, &button, &presser).await? else {
                    panic!("it was closed before");
                };
                if is_left_open {
                    reopen(tx, &prompt).await?;
                }
                held.push(payloads(tx).await?);
            }
            open(tx, new(PromptKind::Erasure, 2)).await?;
            withdraw_about(tx, PromptKind::Erasure, 7).await?;
            open(tx, new(PromptKind::Link, 3)).await?;
            let early = expire(tx, 2).await?.len();
            let late = expire(tx, 3).await?;
            assert_eq!((early, late.len()), (0, 1));
            assert_eq!(late[0].payload::<String>()?, "tea");
            held.push(payloads(tx).await?);
            Ok(held)
        })
    });
    assert_eq!(
        held.await.unwrap(),
        [r#""tea""#, "{}", "{} {} {}"].map(str::to_owned)
    );
    assert_eq!(next_expiry(store.reader()).await.unwrap(), None);
}

async fn payloads(tx: &mut Tx) -> Result<String, StoreError> {
    let mut payloads = Vec::new();
    for kind in PromptKind::ALL {
        if let Some(prompt) = super::about(tx, kind, 7).await? {
            payloads.push(prompt.payload::<serde_json::Value>()?.to_string());
        }
    }
    Ok(payloads.join(" "))
}
