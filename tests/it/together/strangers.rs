//! Strangers on one platform, owners on the other: each owner is asked on their own platform.

use sayso_fakes::Message;

use super::{both, direct_on_discord};
use crate::platform::Chat;
use crate::test_bot::{ANN, TestBot};

const ASKING: &str = "Hello! I do not know you yet, so I have asked my owner whether I may talk with you. You will hear from me.";
const UNHEARD: &str = "I do not know you yet, and I cannot ask my owner, who has not written to me so far. If you know them: ask them to send me a message, then write to me again.";
const TWO_OWNERS: &str = r#"["telegram:101", "discord:1300000000000000101"]"#;

/// Waits for the card about a stranger.
async fn card(owner: &Chat) -> Message {
    owner
        .hears_with(|message| message.labels() == ["Allow", "Chat only", "Block"])
        .await
}

/// Has an owner speak, so that there is a direct chat to ask in.
async fn greets(chat: &Chat) {
    chat.says("/whoami");
    assert!(chat.hears().await.text.contains(", my owner ("));
}

/// Has a stranger speak and returns the answer.
async fn answer_to(stranger: &Chat) -> String {
    stranger.says("hello?");
    stranger.hears().await.text
}

#[tokio::test]
async fn an_owner_on_telegram_lets_somebody_on_discord_in() {
    let bot = both(&[]).await;
    let (ann, eve) = (bot.direct(), direct_on_discord(&bot, 105, "Eve"));
    greets(&ann).await;
    assert_eq!(answer_to(&eve).await, ASKING);
    let asked = card(&ann).await;
    insta::assert_snapshot!(asked, @r"
    Sayso: Let Eve in? (@eve)
      discord:1300000000000000105 wrote: hello?
      ⚠️ Allow: Eve can use my tools and approve actions on this computer without you, in a folder of their own. What reaches past it asks an owner.
      💬 Chat only: Eve can talk with me, nothing else.  [Allow | Chat only | Block]
    ");
    let told = ann.press(&bot.ann, asked.id, "Allow").await;
    assert_eq!(
        told.text.as_deref(),
        ann.platform().echo("✅ Eve was let in.")
    );
    eve.hears_with(|message| message.text.starts_with("You may talk with me now."))
        .await;
    assert_eq!(answer_to(&eve).await, "ok: hello?");
    bot.assert_clean();
}

#[tokio::test]
async fn an_owner_on_discord_keeps_somebody_on_telegram_out() {
    let bot = both(&[
        ("ACCESS__OWNERS", r#"["discord:1300000000000000101"]"#),
        ("ACCESS__ALLOW", "[]"),
    ])
    .await;
    let (ann, bob) = (
        direct_on_discord(&bot, ANN, "Ann"),
        bot.direct_with(&bot.bob),
    );
    greets(&ann).await;
    assert_eq!(answer_to(&bob).await, ASKING);
    let asked = card(&ann).await;
    assert!(asked.text.contains("telegram:102"), "{asked}");
    let owner = bot.discord.person(1_300_000_000_000_000_101, "Ann");
    ann.press(&owner, asked.id, "Block").await;
    ann.becomes(asked.id, |message| message.text == "🚫 Bob was blocked.")
        .await;
    bob.says("hello again?");
    bot.has_heard_all().await;
    assert_eq!(bob.messages().len(), 3, "{}", bob.transcript());
    bot.assert_clean();
}

#[tokio::test]
async fn owners_on_both_platforms_are_asked_and_the_first_answer_counts() {
    let bot = both(&[("ACCESS__OWNERS", TWO_OWNERS)]).await;
    let (here, there) = (bot.direct(), direct_on_discord(&bot, ANN, "Ann"));
    greets(&here).await;
    greets(&there).await;
    let eve = direct_on_discord(&bot, 105, "Eve");
    assert_eq!(answer_to(&eve).await, ASKING);
    let (ours, theirs) = (card(&here).await, card(&there).await);
    let token = theirs.token("Block");
    here.press(&bot.ann, ours.id, "Allow").await;
    for (chat, card) in [(&here, &ours), (&there, &theirs)] {
        chat.becomes(card.id, |message| message.text == "✅ Eve was let in.")
            .await;
    }
    let owner = bot.discord.person(1_300_000_000_000_000_101, "Ann");
    let late = there.press_token(&owner, theirs.id, &token).await;
    assert_eq!(
        late.text.as_deref(),
        Some("This was already answered. Nothing changed.")
    );
    bot.assert_clean();
}

#[tokio::test]
async fn no_one_but_an_owner_answers_whatever_the_platform() {
    let bot = both(&[]).await;
    let ann = bot.direct();
    let (eve, bob) = (
        direct_on_discord(&bot, 105, "Eve"),
        bot.direct_with(&bot.bob),
    );
    greets(&ann).await;
    bob.says("hello");
    let anchor = bob.hears().await.id;
    assert_eq!(answer_to(&eve).await, ASKING);
    let token = card(&ann).await.token("Allow");
    let by_member = bob.press_token(&bot.bob, anchor, &token).await;
    assert_eq!(
        by_member.text.as_deref(),
        Some("Only an owner can answer this.")
    );
    let stranger = bot.discord.person(1_300_000_000_000_000_105, "Eve");
    let (at, said) = (eve.messages(), &token);
    let by_stranger = eve.press_token(&stranger, at[1].id, said).await;
    assert_eq!(
        by_stranger.text.as_deref(),
        Some("This button is not for you.")
    );
    eve.says("and now?");
    assert_eq!(eve.hears().await.text, "My owner has not answered yet.");
    bot.assert_clean();
}

#[tokio::test]
async fn the_door_is_closed_while_no_owner_can_be_asked() {
    let bot = both(&[]).await;
    let eve = direct_on_discord(&bot, 105, "Eve");
    // Ann has never spoken, so there is no chat to ask her in.
    assert_eq!(answer_to(&eve).await, UNHEARD);
    bot.assert_clean();
}

#[tokio::test]
async fn an_owner_on_a_channel_that_is_no_more_is_not_waited_for() {
    let mut bot = both(&[]).await;
    greets(&bot.direct()).await;
    bot.stop().await;
    let owner = direct_on_discord(&bot, 105, "Eve");
    only_on_discord(&mut bot);
    bot.start();
    bot.discord.waits_for_identifies(2).await;
    super::hears_discord(&bot).await;
    assert_eq!(answer_to(&owner).await, UNHEARD);
    bot.assert_clean();
}

/// Takes Telegram out of the configuration, where Ann owns the bot.
fn only_on_discord(bot: &mut TestBot) {
    bot.platform = crate::platform::Platform::Discord;
}

#[tokio::test]
async fn a_card_about_a_stranger_that_no_one_answers_closes_by_itself() {
    let bot = both(&[]).await;
    let (ann, eve) = (bot.direct(), direct_on_discord(&bot, 105, "Eve"));
    greets(&ann).await;
    assert_eq!(answer_to(&eve).await, ASKING);
    let asked = card(&ann).await;
    bot.change("UPDATE prompts SET expires_ms = expires_ms - 3600000")
        .await;
    let closed = ann.becomes(asked.id, |message| !message.asks()).await;
    assert_eq!(
        closed.text,
        "⌛ Eve was neither let in nor blocked: not answered in time."
    );
    let late = ann
        .press_token(&bot.ann, asked.id, &asked.token("Allow"))
        .await;
    assert_eq!(late.text.as_deref(), Some("Too late: this has expired."));
    bot.assert_clean();
}
