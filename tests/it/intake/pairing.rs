//! Strangers, codes and owners' cards.

use crate::platform::{Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    the_door_is_closed_to_strangers,
    the_first_owner_pairs_with_the_code_of_the_log_and_it_works_once,
    an_owner_lets_a_stranger_in_with_one_card,
    three_strangers_may_wait_and_a_blocked_one_hears_nothing,
    codes_and_requests_expire,
    u15_the_card_about_a_stranger_says_who_what_and_what_a_yes_means,
    u7_without_an_owner_the_first_contact_says_how_one_becomes_it,
    u15_an_owner_who_has_not_written_yet_cannot_be_asked_and_that_is_said
);

async fn u7_without_an_owner_the_first_contact_says_how_one_becomes_it(platform: Platform) {
    let bot = TestBot::on_with(
        platform,
        &[("ACCESS__OWNERS", "[]"), ("ACCESS__ALLOW", "[]")],
    )
    .await;
    let ann = bot.direct();
    for said in ["Hi", "whatever", "/start", "/start WRONG234", "ABCD2345"] {
        ann.says(said);
        ann.hears().await;
    }
    let lena = bot.person(110, "Lena");
    let group = bot.group("Family").with(&lena);
    group.says("@sayso_bot hello");
    group.hears().await;
    insta::assert_snapshot!(ann.transcript(), @r"
    Ann: Hi
    Sayso: I have no owner yet. If you set me up: open the link shown in my terminal, or send me the code that stands there.
    Ann: whatever
    Sayso: I have no owner yet. If you set me up: open the link shown in my terminal, or send me the code that stands there.
    Ann: /start
    Sayso: I have no owner yet. If you set me up: open the link shown in my terminal, or send me the code that stands there.
    Ann: /start WRONG234
    Sayso: That code is wrong or has expired. A code works for an hour; if yours is older, start me again and my terminal shows a new one.
    Ann: ABCD2345
    Sayso: That code is wrong or has expired. A code works for an hour; if yours is older, start me again and my terminal shows a new one.
    ");
    bot.change("UPDATE chats SET language = 'zh-CN'").await;
    for said in ["你好", "/start WRONG234"] {
        ann.says(said);
        ann.hears().await;
    }
    let transcript = ann.transcript();
    let (_, chinese) = transcript.split_once("Ann: 你好").unwrap();
    insta::assert_snapshot!(chinese.trim(), @r"
    Sayso: 我还没有管理者。如果是你部署的：请打开终端里显示的链接，或把那里的配对码发给我。
    Ann: /start WRONG234
    Sayso: 配对码不对或已过期。配对码一小时内有效，过期后请重新启动，终端会显示新的。
    ");
    assert!(bot.model.requests().is_empty());
    bot.assert_clean();
}

async fn u15_an_owner_who_has_not_written_yet_cannot_be_asked_and_that_is_said(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("ACCESS__ALLOW", "[]")]).await;
    let bob = bot.direct_with(&bot.bob);
    bob.says("hello?");
    insta::assert_snapshot!(bob.hears().await.text, @"I do not know you yet, and I cannot ask my owner, who has not written to me so far. If you know them: ask them to send me a message, then write to me again.");
    bot.logs("no owner has written to me in a direct chat yet")
        .await;
    let ann = bot.direct();
    ann.says("/whoami");
    ann.hears().await;
    bob.says("and now?");
    assert!(bob.hears().await.text.contains("I have asked my owner"));
    assert!(ann.hears().await.asks());
    bot.assert_clean();
}

async fn the_door_is_closed_to_strangers(platform: Platform) {
    let bot = TestBot::on_with(
        platform,
        &[("ACCESS__ALLOW", "[]"), ("ACCESS__PAIRING", "false")],
    )
    .await;
    let bob = bot.direct_with(&bot.bob);
    bob.says("hello, who are you?");
    bob.hears().await;
    bob.says("/status details");
    bob.hears().await;
    insta::assert_snapshot!(bob.transcript(), @r"
    Bob: hello, who are you?
    Sayso: I am a private assistant, and I do not know you yet. If you know my owner, ask them to let you in.
    Bob: /status details
    Sayso: I am a private assistant, and I do not know you yet. If you know my owner, ask them to let you in.
    ");
    assert!(
        bot.model.requests().is_empty(),
        "no model is asked for strangers"
    );
    bot.assert_clean();
}

async fn the_first_owner_pairs_with_the_code_of_the_log_and_it_works_once(platform: Platform) {
    let bot = TestBot::on_with(
        platform,
        &[("ACCESS__OWNERS", "[]"), ("ACCESS__ALLOW", "[]")],
    )
    .await;
    eventually("the code", || code_in(&bot.log()).is_some()).await;
    let code = code_in(&bot.log()).unwrap();
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    ann.says("/start ABCDEFGH");
    insta::assert_snapshot!(ann.hears().await.text, @"That code is wrong or has expired. A code works for an hour; if yours is older, start me again and my terminal shows a new one.");
    ann.says(&format!("/start {}", code.to_lowercase()));
    insta::assert_snapshot!(ann.hears().await.text, @r"
    You are my owner now.
    Tell me what to do; I ask before anything risky. /help lists the commands.
    ");
    bob.says(&format!("/start {code}"));
    insta::assert_snapshot!(bob.hears().await.text, @"That code is wrong, used or expired, so I have asked my owner whether I may talk with you. You will hear from me.");
    let card = ann.hears().await;
    assert_eq!(card.labels(), ["Allow", "Chat only", "Block"]);
    ann.says("/whoami");
    let told = bot.without_accounts(&ann.hears().await.text);
    insta::assert_snapshot!(told, @"You are Ann, my owner ((account of Ann)).");
    assert!(bot.model.requests().is_empty());
    bot.assert_clean();
}

async fn an_owner_lets_a_stranger_in_with_one_card(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("ACCESS__ALLOW", &*platform.accounts(&[103]))]).await;
    let carol = bot.person(103, "Carol");
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    ann.says("/whoami");
    ann.hears().await;
    bob.says("hello?");
    bob.hears().await;
    bob.says("anybody there?");
    bob.hears().await;
    let card = ann.hears().await;
    let by_stranger = ann.press(&bot.bob, card.id, "Allow").await;
    let by_member = ann.press(&carol, card.id, "Allow").await;
    insta::assert_snapshot!(
        format!("Bob: {}\nCarol: {}", by_stranger.text.unwrap(), by_member.text.unwrap()),
        @r"
    Bob: This button is not for you.
    Carol: Only an owner can answer this.
    "
    );
    assert_eq!(
        ann.message(card.id).labels(),
        ["Allow", "Chat only", "Block"]
    );
    assert!(bot.model.requests().is_empty());
    ann.press(&bot.ann, card.id, "Allow").await;
    bob.hears().await;
    bob.says("good to be here");
    bob.hears().await;
    ann.becomes(card.id, |message| !message.asks()).await;
    insta::assert_snapshot!(bot.without_accounts(&ann.transcript()), @r"
    Ann: /whoami
    Sayso: You are Ann, my owner ((account of Ann)).
    Sayso: ✅ Bob was let in.
    ");
    insta::assert_snapshot!(bob.transcript(), @r"
    Bob: hello?
    Sayso: Hello! I do not know you yet, so I have asked my owner whether I may talk with you. You will hear from me.
    Bob: anybody there?
    Sayso: My owner has not answered yet.
    Sayso: You may talk with me now. Tell me what to do; I ask before anything risky. /help lists the commands.
    Bob: good to be here
    Sayso: ok: good to be here
    ");
    bot.assert_clean();
}

async fn u15_the_card_about_a_stranger_says_who_what_and_what_a_yes_means(platform: Platform) {
    let mut bot = TestBot::on_with(platform, &[("ACCESS__ALLOW", "[]")]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    ann.says("/whoami");
    ann.hears().await;
    bob.says("Hello, is this\n**Ann's** `bot`?\u{202e} see http://example.org @everyone");
    bob.hears().await;
    let card = ann.hears().await;
    assert!(card.text.starts_with("Let Bob in?"), "{card}");
    if platform == Platform::Discord {
        assert!(card.text.contains("(@bob)"), "{card}");
    }
    assert!(card.text.contains(&platform.account(&bot.bob)), "{card}");
    assert!(card.text.contains("wrote: Hello, is this"), "{card}");
    assert!(!card.text.contains('\u{202e}'), "{card}");
    let means = "approve actions on this computer without you";
    assert!(card.text.contains(means), "{card}");
    assert_eq!(card.labels(), ["Allow", "Chat only", "Block"]);

    bot.stop().await;
    bot.write("UPDATE chats SET language = 'zh-CN'").await;
    bot.start();
    bot.settles_in().await;
    let long = bot.direct_with(&bot.person(109, "Lena"));
    long.says(&"word ".repeat(200));
    long.hears().await;
    let card = ann.hears().await;
    let shown = card.text.matches("word").count();
    assert!(shown > 5 && shown < 40, "{card}");
    assert!(card.text.contains("允许 Lena 使用我吗？"), "{card}");
    assert!(card.text.contains("自行批准在这台电脑上的操作"), "{card}");
    bot.assert_clean();
}

async fn three_strangers_may_wait_and_a_blocked_one_hears_nothing(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("ACCESS__ALLOW", "[]")]).await;
    let ann = bot.direct();
    ann.says("/whoami");
    ann.hears().await;
    let strangers: Vec<_> = ["Bob", "Carol", "Dave", "Erin"]
        .into_iter()
        .zip(201..)
        .map(|(name, id)| bot.person(id, name))
        .collect();
    let mut answers = Vec::new();
    for stranger in &strangers {
        let chat = bot.direct_with(stranger);
        chat.says("hello?");
        answers.push(format!("{}: {}", stranger.name, chat.hears().await.text));
    }
    insta::assert_snapshot!(answers.join("\n"), @r"
    Bob: Hello! I do not know you yet, so I have asked my owner whether I may talk with you. You will hear from me.
    Carol: Hello! I do not know you yet, so I have asked my owner whether I may talk with you. You will hear from me.
    Dave: Hello! I do not know you yet, so I have asked my owner whether I may talk with you. You will hear from me.
    Erin: I am a private assistant, and I do not know you yet. If you know my owner, ask them to let you in.
    ");
    let cards = [ann.hears().await, ann.hears().await, ann.hears().await];
    assert_eq!(ann.unheard(), 0);
    ann.press(&bot.ann, cards[0].id, "Block").await;
    let again = ann
        .press_token(&bot.ann, cards[0].id, &cards[0].token("Allow"))
        .await;
    insta::assert_snapshot!(again.text.unwrap_or_default(), @"This was already answered. Nothing changed.");
    let bob = bot.direct_with(&strangers[0]);
    bob.says("please?");
    bob.says("/start");
    bot.has_heard_all().await;
    ann.says("and me?");
    ann.hears().await;
    insta::assert_snapshot!(bob.transcript(), @r"
    Bob: hello?
    Sayso: Hello! I do not know you yet, so I have asked my owner whether I may talk with you. You will hear from me.
    Bob: please?
    Bob: /start
    ");
    assert_eq!(bot.model.turn_requests().len(), 1, "only for Ann");
    bot.assert_clean();
}

async fn codes_and_requests_expire(platform: Platform) {
    let bot = TestBot::on_with(
        platform,
        &[("ACCESS__OWNERS", "[]"), ("ACCESS__ALLOW", "[]")],
    )
    .await;
    eventually("the code", || code_in(&bot.log()).is_some()).await;
    let code = code_in(&bot.log()).unwrap();
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    bot.change("UPDATE pairing_codes SET expires_ms = expires_ms - 3600000")
        .await;
    bob.says(&format!("/start {code}"));
    let late_code = bob.hears().await.text;
    bot.change("UPDATE pairing_codes SET expires_ms = expires_ms + 3600000")
        .await;
    ann.says(&code);
    ann.hears_with(|message| message.text.contains("my owner now"))
        .await;
    bob.says("hello?");
    bob.hears().await;
    let card = ann.hears().await;
    bot.change("UPDATE prompts SET expires_ms = expires_ms - 3600000")
        .await;
    let late_press = ann.press(&bot.ann, card.id, "Allow").await.text.unwrap();
    insta::assert_snapshot!(format!("{late_code}\n{late_press}"), @r"
    That code is wrong or has expired. A code works for an hour; if yours is older, start me again and my terminal shows a new one.
    Too late: this has expired.
    ");
    bob.says("hello again?");
    bob.hears().await;
    let second = ann.hears().await;
    assert_eq!(
        second.labels(),
        ["Allow", "Chat only", "Block"],
        "a later request asks anew"
    );
    bot.assert_clean();
}

/// Returns the code that the log tells the operator.
fn code_in(log: &str) -> Option<String> {
    let (_, rest) = log.split_once("`/start ")?;
    rest.split_once('`').map(|(code, _)| code.to_owned())
}
