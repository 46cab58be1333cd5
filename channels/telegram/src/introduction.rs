//! What the bot says of itself to people who have not written to it yet.
//!
//! A text that the operator wrote at BotFather stays, and one that is set already is not set again:
//! Telegram allows few such changes.

use sayso_channel::ChannelError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use teloxide::payloads::{
    GetMyDescription, GetMyShortDescription, SetMyDescription, SetMyShortDescription,
};

use crate::bot_api::BotApi;
use crate::config::{Bilingual, Introduction};
use crate::refusal;

/// The language under which Telegram shows Chinese texts, in every variant of Chinese.
pub(crate) const CHINESE: &str = "zh";

#[derive(Deserialize)]
struct Description {
    description: String,
}

#[derive(Deserialize)]
struct ShortDescription {
    short_description: String,
}

/// Sets the texts that are not set yet.
pub(crate) async fn introduce(
    api: &BotApi,
    introduction: &Introduction,
) -> Result<(), ChannelError> {
    describe(api, introduction.description).await?;
    describe_shortly(api, introduction.short).await
}

async fn describe(api: &BotApi, text: Bilingual) -> Result<(), ChannelError> {
    let get = |language: &str| {
        let mut request = GetMyDescription::new();
        request.language_code = Some(language.to_owned());
        request
    };
    let english: Description = call(api, &get("")).await?;
    let chinese: Description = call(api, &get(CHINESE)).await?;
    for (language, text) in missing(text, &english.description, &chinese.description) {
        let mut request = SetMyDescription::new();
        request.description = Some(text.to_owned());
        request.language_code = Some(language.to_owned());
        let _: bool = call(api, &request).await?;
    }
    Ok(())
}

async fn describe_shortly(api: &BotApi, text: Bilingual) -> Result<(), ChannelError> {
    let get = |language: &str| {
        let mut request = GetMyShortDescription::new();
        request.language_code = Some(language.to_owned());
        request
    };
    let english: ShortDescription = call(api, &get("")).await?;
    let chinese: ShortDescription = call(api, &get(CHINESE)).await?;
    let (english, chinese) = (english.short_description, chinese.short_description);
    for (language, text) in missing(text, &english, &chinese) {
        let mut request = SetMyShortDescription::new();
        request.short_description = Some(text.to_owned());
        request.language_code = Some(language.to_owned());
        let _: bool = call(api, &request).await?;
    }
    Ok(())
}

/// Returns which texts have to be set, by language, where these are there. Telegram may answer with
/// the text for every language where there is none for the one that was asked for.
fn missing(ours: Bilingual, english: &str, chinese: &str) -> Vec<(&'static str, &'static str)> {
    let is_theirs = |text: &str| !text.is_empty() && text != ours.english && text != ours.chinese;
    if is_theirs(english) || is_theirs(chinese) {
        return Vec::new();
    }
    let mut missing = Vec::new();
    if english != ours.english {
        missing.push(("", ours.english));
    }
    if chinese != ours.chinese {
        missing.push((CHINESE, ours.chinese));
    }
    missing
}

async fn call<P, Output>(api: &BotApi, request: &P) -> Result<Output, ChannelError>
where
    P: teloxide::requests::Payload + serde::Serialize,
    Output: DeserializeOwned,
{
    let called = api.call(request).await;
    called.map_err(|error| refusal::of_repeatable(error, None))
}

#[cfg(test)]
mod tests {
    use super::{Bilingual, CHINESE, missing};

    const OURS: Bilingual = Bilingual {
        english: "hello",
        chinese: "你好",
    };

    #[track_caller]
    fn check(english: &str, chinese: &str, expected: &[(&str, &str)]) {
        assert_eq!(missing(OURS, english, chinese), expected);
    }

    #[test]
    fn only_what_is_missing_is_set_and_texts_of_the_operator_stay() {
        check("", "", &[("", "hello"), (CHINESE, "你好")]);
        check("hello", "你好", &[]);
        check("hello", "", &[(CHINESE, "你好")]);
        check("hello", "hello", &[(CHINESE, "你好")]);
        check("My own words", "", &[]);
        check("My own words", "My own words", &[]);
        check("", "我的话", &[]);
    }
}
