//! Strangers, first contact, and what a person is.

use super::PAGES;
use crate::platform::{Platform, on_both};
use crate::stage::{Spoken, Stage};

on_both!(a_stranger_is_let_in, nobody_owns_it_yet);

async fn a_stranger_is_let_in(platform: Platform) {
    for spoken in Spoken::BOTH {
        let strangers = [("ACCESS__ALLOW", "[]")];
        let mut stage = Stage::open(platform, spoken, &strangers).await;
        stage.says("/whoami", "/whoami");
        stage.chat.hears().await;
        stage.keeps(54, "/whoami of the owner").await;
        let bob = stage.bot.person(102, spoken.pick("Bob", "小明"));
        let bobs = stage.bot.direct_with(&bob);
        bobs.says(spoken.pick("Hello, is this Ann's bot?", "你好，这是小安的机器人吗？"));
        bobs.hears().await;
        let card = stage.chat.hears().await;
        stage.keeps(4, "the card about a stranger").await;
        stage.presses(card.id, "Allow", "允许").await;
        stage
            .chat
            .becomes(card.id, |card| card.labels().is_empty())
            .await;
        stage.keeps(5, "the same, decided").await;
        bobs.hears().await;
        bobs.says("/autonomy full");
        let told = bobs.hears().await;
        stage.keeps_text(57, "a member asks for more", &told.to_string());
        stage.ends(PAGES, "people");
    }
}

async fn nobody_owns_it_yet(platform: Platform) {
    for spoken in Spoken::BOTH {
        let nobody = [("ACCESS__OWNERS", "[]"), ("ACCESS__ALLOW", "[]")];
        let mut stage = Stage::open(platform, spoken, &nobody).await;
        stage.says("Hi", "你好");
        stage.chat.hears().await;
        stage.keeps(10, "first contact without an owner").await;
        stage.says("/start ABCDEFGH", "/start ABCDEFGH");
        stage.chat.hears().await;
        stage.keeps(11, "a wrong code").await;
        stage.ends(PAGES, "unowned");
    }
}
