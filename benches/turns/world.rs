//! The outside of one measurement: a platform and a model on loopback, and people who write.

use std::time::{Duration, Instant};

use sayso_fakes::{Answer, FakeDiscord, FakeModel, FakeTelegram, ModelRequest};

use crate::platform::{Chat, Platform};

/// What a routing call is answered with: no skill, go ahead.
const DIRECT: &str = r#"{"skills":[],"direct":true}"#;

/// The platform's server.
pub enum Service {
    /// The Bot API.
    Telegram(FakeTelegram),
    /// REST and gateway.
    Discord(FakeDiscord),
}

/// Both services that a bot talks to.
pub struct World {
    pub platform: Platform,
    pub service: Service,
    pub model: FakeModel,
    /// How long the model takes for each call.
    pub model_time: Duration,
}

impl World {
    /// Starts both. Every call of the model takes `model_time` before its first byte.
    pub async fn start(platform: Platform, model_time: Duration) -> Self {
        Self::answering(platform, model_time, answer).await
    }

    /// The same with other answers.
    pub async fn answering(
        platform: Platform,
        model_time: Duration,
        answer: impl Fn(&ModelRequest) -> Answer + Send + 'static,
    ) -> Self {
        let model = FakeModel::start().await;
        model.when(move |request| Some(answer(request).after(model_time)));
        Self {
            platform,
            service: Service::start(platform).await,
            model,
            model_time,
        }
    }

    /// Opens the direct chats of `count` people whom no other call with another `group` has met.
    pub fn chats(&self, group: i64, count: usize) -> Vec<Chat> {
        (0..count as i64)
            .map(|number| self.direct(group * 100_000 + number + 1))
            .collect()
    }

    fn direct(&self, number: i64) -> Chat {
        let (id, name) = (self.platform.user_id(number), format!("Person{number}"));
        match &self.service {
            Service::Telegram(telegram) => {
                Chat::Telegram(telegram.direct(&telegram.person(id, &name)))
            }
            Service::Discord(discord) => Chat::Discord(discord.direct(&discord.person(id, &name))),
        }
    }

    /// Returns a group of this number of members, as one chat handle per member.
    pub fn group(&self, members: i64) -> Vec<Chat> {
        (0..members)
            .map(|number| {
                let id = self.platform.user_id(700_000 + number);
                let (title, name) = ("Long", format!("Member{number}"));
                match &self.service {
                    Service::Telegram(telegram) => {
                        let member = telegram.person(id, &name);
                        Chat::Telegram(telegram.group(-100_777, title).with(&member))
                    }
                    Service::Discord(discord) => {
                        let member = discord.person(id, &name);
                        Chat::Discord(discord.group(-100_777, title).with(&member))
                    }
                }
            })
            .collect()
    }

    /// Waits until a bot that was started after `since` hears people; returns when it first asked
    /// to.
    pub async fn is_heard_since(&self, since: Instant) -> Instant {
        loop {
            let seen = self.service.hearings();
            if let Some(heard) = seen.iter().find(|at| **at >= since) {
                return *heard;
            }
            self.service.waits_for_hearings(seen.len() + 1).await;
        }
    }

    /// Returns how many messages were sent since the last [`World::forget`].
    pub fn sent(&self) -> usize {
        match &self.service {
            Service::Telegram(telegram) => telegram.count("sendMessage"),
            Service::Discord(discord) => discord.count("create_message"),
        }
    }

    /// Returns how many calls of the platform there were since the last [`World::forget`], polls
    /// aside.
    pub fn calls_to_speak(&self) -> usize {
        match &self.service {
            Service::Telegram(telegram) => telegram.calls().len() - telegram.count("getUpdates"),
            Service::Discord(discord) => discord.calls().len(),
        }
    }

    /// Forgets what was asked and said so far, so that a count begins here.
    pub fn forget(&self) {
        match &self.service {
            Service::Telegram(telegram) => telegram.forget_calls(),
            Service::Discord(discord) => discord.forget_calls(),
        }
        self.model.forget_requests();
    }
}

impl Service {
    async fn start(platform: Platform) -> Self {
        match platform {
            Platform::Telegram => Self::Telegram(FakeTelegram::start().await),
            Platform::Discord => {
                let discord = FakeDiscord::start().await;
                // A process that was killed cannot know when it last identified itself.
                discord.spaces_identifies_by(Duration::ZERO);
                Self::Discord(discord)
            }
        }
    }

    /// Returns the server's address.
    pub fn url(&self) -> String {
        match self {
            Self::Telegram(telegram) => telegram.url(),
            Self::Discord(discord) => discord.url(),
        }
    }

    /// Returns the token of the one bot.
    pub fn token(&self) -> &'static str {
        match self {
            Self::Telegram(telegram) => telegram.token(),
            Self::Discord(discord) => discord.token(),
        }
    }

    /// When a bot asked to hear people: every poll, or every IDENTIFY.
    fn hearings(&self) -> Vec<Instant> {
        match self {
            Self::Telegram(telegram) => {
                let polls = telegram.calls_of("getUpdates");
                polls.iter().map(|poll| poll.at).collect()
            }
            Self::Discord(discord) => {
                let identifies = discord.identifies();
                identifies.iter().map(|identify| identify.at).collect()
            }
        }
    }

    async fn waits_for_hearings(&self, count: usize) {
        match self {
            Self::Telegram(telegram) => telegram.waits_for_calls("getUpdates", count).await,
            Self::Discord(discord) => discord.waits_for_identifies(count).await,
        }
    }
}

/// Echoes the last words of the user, so that each answer can be matched with its message.
fn answer(request: &ModelRequest) -> Answer {
    if request.is_routing() {
        Answer::text(DIRECT)
    } else {
        Answer::text(format!("you said: {}", request.last_user()))
    }
}
