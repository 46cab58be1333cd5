//! The outside of one measurement: a Telegram and a model on loopback, and people who write.

use std::sync::Arc;
use std::time::Duration;

use sayso_fakes::telegram::Call;
use sayso_fakes::{Answer, Chat, FakeModel, FakeTelegram, ModelRequest};

/// What a routing call is answered with: no skill, go ahead.
const DIRECT: &str = r#"{"skills":[],"direct":true}"#;

/// Both services that a bot talks to.
pub struct World {
    pub telegram: FakeTelegram,
    pub model: FakeModel,
    /// How long the model takes for each call.
    pub model_time: Duration,
}

impl World {
    /// Starts both. Every call of the model takes `model_time` before its first byte.
    pub async fn start(model_time: Duration) -> Self {
        let model = FakeModel::start().await;
        model.when(move |request| Some(answer(request).after(model_time)));
        Self {
            telegram: FakeTelegram::start().await,
            model,
            model_time,
        }
    }

    /// Opens the direct chats of `count` people whom no other call with another `group` has met.
    pub fn chats(&self, group: i64, count: usize) -> Vec<Chat> {
        (0..count as i64)
            .map(|number| {
                let id = group * 100_000 + number + 1;
                let person = self.telegram.person(id, &format!("Person{id}"));
                self.telegram.direct(&person)
            })
            .collect()
    }

    /// Returns the calls that were no polls.
    pub fn calls_to_speak(&self) -> Vec<Arc<Call>> {
        let calls = self.telegram.calls().into_iter();
        calls.filter(|call| call.method != "getUpdates").collect()
    }

    /// Forgets what was asked and said so far, so that a count begins here.
    pub fn forget(&self) {
        self.telegram.forget_calls();
        self.model.forget_requests();
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
