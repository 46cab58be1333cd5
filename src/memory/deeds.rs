//! For tests: what several owners do with the same few texts, in every order.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use sayso_core::transcript::{ChatId, Owner, UserId};

/// What happens to one of a few texts that all owners share.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    Remember(Owner, &'static str),
    Forget(Owner, &'static str),
    /// What is done behind the writing is done by now.
    CatchUp,
}

const TEXTS: [&str; 4] = ["green tea", "green 绿茶", "绿茶 tea", "green"];

/// Runs a check over many sequences of deeds.
pub(crate) fn whatever_is_done<F: Future<Output = ()>>(check: impl Fn(Vec<Deed>) -> F) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = Config {
        cases: 24,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&deeds(), |deeds| {
            runtime.block_on(check(deeds));
            Ok(())
        })
        .unwrap();
}

fn owners() -> impl Strategy<Value = Owner> {
    // Numbers that are beginnings of each other, of people and of groups.
    let number = prop::sample::select(vec![1, 2, 11, 12, 111]);
    (number, any::<bool>()).prop_map(|(number, group)| {
        if group {
            Owner::Chat(ChatId(number))
        } else {
            Owner::User(UserId(number))
        }
    })
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = (owners(), prop::sample::select(&TEXTS[..]), 0..8_u8);
    let deed = deed.prop_map(|(owner, text, kind)| match kind {
        0 => Deed::CatchUp,
        1 | 2 => Deed::Forget(owner, text),
        _ => Deed::Remember(owner, text),
    });
    prop::collection::vec(deed, 1..40)
}
