//! The fake keeps the promises of every channel, and fails on request.

use std::sync::Arc;

use async_trait::async_trait;

use super::{FakeChannel, Said};
use crate::conformance::{self, Seen, Stage, StagePerson};
use crate::{
    Address, Button, Channel, ChannelError, Outbound, SendKey, SenderKey, SentMessage, Speaker,
};

struct FakeStage(Arc<FakeChannel>);

#[async_trait]
impl Stage for FakeStage {
    fn channel(&self) -> Arc<dyn Channel> {
        Arc::clone(&self.0) as Arc<dyn Channel>
    }

    fn address(&self) -> Address {
        Address::chat("fake", "ann")
    }

    async fn newest(&mut self) -> Seen {
        let platform = self.0.platform();
        let part = &platform.messages.last().unwrap().part;
        let buttons = part.buttons.iter().flatten();
        Seen {
            text: part.text.clone(),
            buttons: buttons.map(|button| button.label.clone()).collect(),
        }
    }

    fn reactions(&self) -> usize {
        let said = self.0.platform().said;
        let reacted = said.iter().filter_map(|said| match said {
            Said::Reacted(_, message) => Some(message),
            Said::Sent(..) | Said::Edited(..) | Said::Deleted(_) | Said::Typing(_) => None,
        });
        reacted.collect::<std::collections::HashSet<_>>().len()
    }

    async fn something_unknown_happens(&mut self) {}
}

#[async_trait]
impl StagePerson for FakeStage {
    fn sender(&self) -> SenderKey {
        SenderKey::new("ann")
    }

    async fn person_says(&mut self, text: &str) {
        self.0.says("ann", "ann", text);
    }

    async fn person_presses(&mut self, message: &SentMessage, button: &Button) {
        self.0.presses(message, "ann", &button.token);
    }

    async fn answer_to_press(&mut self) -> String {
        let pressed = |said: &super::FakePlatform| said.waiting.is_empty();
        let answers = self.0.wait_until(pressed).await.answers;
        let last = answers.last().cloned().flatten();
        last.map(|notice| notice.text).unwrap_or_default()
    }
}

#[tokio::test]
async fn the_fake_keeps_the_promises_of_every_channel() {
    let mut stage = FakeStage(Arc::new(FakeChannel::new("fake")));
    conformance::run(&mut stage).await;
}

#[tokio::test]
async fn an_ordered_failure_hits_the_next_call_only() {
    let channel = FakeChannel::new("fake");
    let to = Address::chat("fake", "ann");
    let part = channel.render(&Outbound::markdown("hello")).remove(0);
    let key = SendKey("1".to_owned());
    let lost = ChannelError::Ambiguous("cut".to_owned());

    channel.fail_next(ChannelError::TooLong);
    channel.fail_next_after_it_happened(lost.clone());
    assert_eq!(
        channel.send(&to, &part, &key).await,
        Err(ChannelError::TooLong)
    );
    assert_eq!(channel.texts("ann"), [] as [&str; 0]);
    assert_eq!(channel.send(&to, &part, &key).await, Err(lost));
    assert_eq!(channel.texts("ann"), ["hello"]);
    let sent = channel.send(&to, &part, &key).await.unwrap();
    assert_eq!(channel.texts("ann"), ["hello", "hello"]);
    assert_eq!(
        channel.platform().said.last(),
        Some(&Said::Sent(sent, part))
    );
}

#[tokio::test]
async fn the_fake_enforces_its_limits() {
    let channel = FakeChannel::new("fake");
    let to = Address::chat("fake", "ann");
    let mut part = channel.render(&Outbound::markdown("hello")).remove(0);
    part.text = "x".repeat(4097);
    let key = SendKey("1".to_owned());
    let refused = channel.send(&to, &part, &key).await;
    assert_eq!(refused, Err(ChannelError::TooLong));
    part.text.clear();
    let refused = channel.send(&to, &part, &key).await;
    assert!(matches!(refused, Err(ChannelError::Rejected(_))));
}
