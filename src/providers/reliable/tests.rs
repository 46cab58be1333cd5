//! Who is asked how often, and what is never asked twice.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Reliable, Remedy, remedy, rest, spread};
use crate::providers::{ChatRequest, Provider, ProviderError, Scripted};

fn lost() -> ProviderError {
    ProviderError::Unreachable("connection refused".into())
}

fn refused() -> ProviderError {
    ProviderError::Refused {
        status: 401,
        message: "wrong key".into(),
    }
}

fn failing(times: usize) -> Scripted {
    Scripted::new((0..times).map(|_| Err(lost())))
}

fn reliable(providers: &[&Arc<Scripted>]) -> Reliable {
    let providers = providers
        .iter()
        .map(|provider| Arc::clone(provider) as Arc<dyn Provider>)
        .collect();
    Reliable {
        first_pause: Duration::ZERO,
        ..Reliable::new(providers)
    }
}

async fn ask(provider: &Reliable) -> (Result<String, ProviderError>, String) {
    let words = Mutex::new(String::new());
    let request = ChatRequest {
        system: "",
        messages: &[],
        tools: &[],
        temperature: None,
        stream: true,
        attempts: None,
    };
    let reply = provider
        .chat_with_tools(request, &|piece| words.lock().unwrap().push_str(piece))
        .await;
    let text = reply.map(|reply| reply.message.text);
    (text, words.into_inner().unwrap())
}

#[tokio::test]
async fn a_failure_that_passes_is_not_noticed() {
    let main = Arc::new(failing(2).then_says("yes"));
    let (reply, words) = ask(&reliable(&[&main])).await;
    assert_eq!(reply, Ok("yes".into()));
    assert_eq!(words, "yes");
    assert_eq!(main.asked().len(), 3);
}

#[tokio::test]
async fn after_two_retries_the_next_provider_is_asked() {
    let main = Arc::new(failing(3).then_says("too late"));
    let spare = Arc::new(Scripted::default().then_says("yes"));
    let (reply, _) = ask(&reliable(&[&main, &spare])).await;
    assert_eq!(reply, Ok("yes".into()));
    assert_eq!(main.asked().len(), 3);
}

#[tokio::test]
async fn a_refusal_is_not_repeated_to_the_same_provider() {
    let main = Arc::new(Scripted::new([Err(refused())]));
    let spare = Arc::new(Scripted::default().then_says("yes"));
    let (reply, _) = ask(&reliable(&[&main, &spare])).await;
    assert_eq!(reply, Ok("yes".into()));
    assert_eq!(main.asked().len(), 1);
}

#[tokio::test]
async fn who_cannot_be_of_use_rests_while_others_exist() {
    let long = ProviderError::RateLimited {
        retry_after: Some(Duration::from_mins(2)),
    };
    for failure in [refused(), long] {
        let main = Arc::new(Scripted::new([Err(failure)]).then_says("main is back"));
        let spare = Arc::new(Scripted::default().then_says("first").then_says("second"));
        let provider = reliable(&[&main, &spare]);
        assert_eq!(ask(&provider).await.0, Ok("first".into()));
        assert_eq!(ask(&provider).await.0, Ok("second".into()));
        assert_eq!(main.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_request_that_is_wrong_in_itself_is_not_held_against_the_next() {
    let too_long = ProviderError::Refused {
        status: 400,
        message: "prompt is too long".into(),
    };
    let main = Arc::new(Scripted::new([Err(too_long)]).then_says("shorter"));
    let spare = Arc::new(Scripted::default().then_says("a larger window"));
    let provider = reliable(&[&main, &spare]);
    assert_eq!(ask(&provider).await.0, Ok("a larger window".into()));
    assert_eq!(ask(&provider).await.0, Ok("shorter".into()));
}

#[test]
fn a_rest_is_bounded_and_a_pause_is_never_shorter_than_asked_for() {
    let limited = |seconds| ProviderError::RateLimited {
        retry_after: Some(Duration::from_secs(seconds)),
    };
    assert_eq!(rest(&limited(30)), None);
    assert_eq!(rest(&limited(31)), Some(Duration::from_secs(31)));
    assert_eq!(rest(&limited(86_400)), Some(Duration::from_hours(1)));
    assert_eq!(rest(&lost()), None);
    let second = Duration::from_secs(1);
    assert_eq!(spread(second, 0), second);
    assert_eq!(spread(second, u64::MAX), second * 3 / 2);
    assert_eq!(spread(Duration::ZERO, u64::MAX), Duration::ZERO);
}

#[tokio::test]
async fn nothing_is_asked_again_once_something_was_heard() {
    let main = Arc::new(
        Scripted::default()
            .then_heard(vec!["ye".into()], Err(lost()))
            .then_says("again"),
    );
    let spare = Arc::new(Scripted::default().then_says("other"));
    let (reply, words) = ask(&reliable(&[&main, &spare])).await;
    assert_eq!(reply, Err(lost()));
    assert_eq!(words, "ye");
    assert_eq!((main.left(), spare.left()), (1, 1));
}

#[tokio::test]
async fn who_failed_three_times_in_a_row_is_skipped_while_others_exist() {
    let main = Arc::new(failing(3).then_says("main is back"));
    let spare = Arc::new(Scripted::default().then_says("first").then_says("second"));
    let provider = reliable(&[&main, &spare]);
    assert_eq!(ask(&provider).await.0, Ok("first".into()));
    assert_eq!(ask(&provider).await.0, Ok("second".into()));
    assert_eq!(main.asked().len(), 3);
}

#[tokio::test]
async fn the_only_provider_is_never_skipped() {
    let main = Arc::new(failing(3).then_says("back"));
    let provider = reliable(&[&main]);
    assert_eq!(ask(&provider).await.0, Err(lost()));
    assert_eq!(ask(&provider).await.0, Ok("back".into()));
}

#[tokio::test]
async fn without_a_provider_it_says_so() {
    let provider = reliable(&[]);
    assert_eq!(ask(&provider).await.0, Err(ProviderError::Missing));
    assert_eq!(provider.check().await, Err(ProviderError::Missing));
}

#[test]
fn a_service_may_say_how_long_to_wait_within_bounds() {
    let second = Duration::from_secs(1);
    let limited = |seconds| ProviderError::RateLimited {
        retry_after: Some(Duration::from_secs(seconds)),
    };
    let again = |after| Remedy::AskAgain { after };
    assert_eq!(remedy(&limited(30), 0, second), again(30 * second));
    assert_eq!(remedy(&limited(31), 0, second), Remedy::AskTheNext);
    assert_eq!(remedy(&lost(), 0, second), again(second));
    assert_eq!(remedy(&lost(), 1, second), again(2 * second));
    assert_eq!(remedy(&lost(), 2, second), Remedy::AskTheNext);
}
