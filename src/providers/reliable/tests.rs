//! Who is asked how often, and what is never asked twice.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::Reliable;
use super::reaction::{
    Concerns, Remedy, concerns, counts_against, is_revoked, minds_pictures, remedy, rest, spread,
};
use crate::{Attempts, ChatOptions, ChatRequest, Provider, ProviderError, Retries, Scripted};

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
    let alone = |provider: &&Arc<Scripted>| vec![Arc::clone(provider) as Arc<dyn Provider>];
    Reliable {
        first_pause: Duration::ZERO,
        ..Reliable::new(providers.iter().map(alone).collect())
    }
}

/// One model that is asked with these keys.
fn pool(keys: &[&Arc<Scripted>]) -> Reliable {
    let keys = keys.iter().map(|&key| Arc::clone(key) as Arc<dyn Provider>);
    Reliable {
        first_pause: Duration::ZERO,
        ..Reliable::new(vec![keys.collect()])
    }
}

fn question() -> ChatRequest<'static> {
    ChatRequest {
        system: "",
        messages: &[],
        tools: &[],
        temperature: None,
        stream: true,
        attempts: None,
        wanted: None,
        options: ChatOptions::default(),
    }
}

async fn ask(provider: &Reliable) -> (Result<String, ProviderError>, String) {
    let words = Mutex::new(String::new());
    let reply = provider
        .chat_with_tools(question(), &|piece| words.lock().unwrap().push_str(piece))
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
fn a_403_puts_a_key_aside_only_where_it_is_about_the_key() {
    let check = |message: &str, expected: Concerns| {
        let error = ProviderError::Refused {
            status: 403,
            message: message.to_owned(),
        };
        assert_eq!(concerns(&error), expected, "{message}");
        let is_key = expected == Concerns::Key;
        assert_eq!(
            (is_revoked(&error), rest(&error).is_some()),
            (is_key, is_key),
            "{message}"
        );
    };
    check("This key was revoked.", Concerns::Key);
    check("Forbidden", Concerns::Key);
    check(
        "Your API key does not have permission to use it",
        Concerns::Key,
    );
    check(
        "Project `x` does not have access to model `y`",
        Concerns::Key,
    );
    check(
        "Your chosen model requires moderation and your input was flagged",
        Concerns::Question,
    );
    check("Access denied by our content policy", Concerns::Question);
    check("no reason given", Concerns::Question);
}

#[test]
fn a_rest_is_bounded_and_a_pause_is_never_shorter_than_asked_for() {
    let limited = |seconds| ProviderError::RateLimited {
        retry_after: Some(Duration::from_secs(seconds)),
    };
    assert_eq!(rest(&limited(30)), Some(Duration::from_secs(30)));
    assert_eq!(
        rest(&ProviderError::RateLimited { retry_after: None }),
        None
    );
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

#[tokio::test]
async fn keys_take_turns() {
    let first = Arc::new(Scripted::default().then_says("a").then_says("c"));
    let second = Arc::new(Scripted::default().then_says("b"));
    let provider = pool(&[&first, &second]);
    for expected in ["a", "b", "c"] {
        assert_eq!(ask(&provider).await.0, Ok(expected.into()));
    }
}

#[tokio::test]
async fn a_key_that_is_limited_or_revoked_is_replaced_at_once_and_rests() {
    let limited = ProviderError::RateLimited {
        retry_after: Some(Duration::from_secs(20)),
    };
    for failure in [limited, refused()] {
        let first = Arc::new(Scripted::new([Err(failure)]).then_says("too early"));
        let second = Arc::new(
            ["one", "two", "three"]
                .iter()
                .fold(Scripted::default(), |script, text| script.then_says(text)),
        );
        let provider = pool(&[&first, &second]);
        for expected in ["one", "two", "three"] {
            assert_eq!(ask(&provider).await.0, Ok(expected.into()));
        }
        assert_eq!(first.asked().len(), 1);
    }
}

#[tokio::test]
async fn what_fails_whatever_the_key_is_not_tried_with_each() {
    let first = Arc::new(failing(3));
    let second = Arc::new(Scripted::default().then_says("never"));
    let provider = pool(&[&first, &second]);
    assert_eq!(ask(&provider).await.0, Err(lost()));
    assert_eq!((first.asked().len(), second.asked().len()), (3, 0));
}

#[tokio::test]
async fn keys_that_are_all_refused_are_each_tried_once() {
    let keys = [(); 3].map(|()| Arc::new(Scripted::new([Err(refused())])));
    let provider = pool(&[&keys[0], &keys[1], &keys[2]]);
    assert_eq!(ask(&provider).await.0, Err(refused()));
    assert_eq!(keys.each_ref().map(|key| key.asked().len()), [1, 1, 1]);
}

#[tokio::test]
async fn an_attempt_that_was_given_up_for_another_is_known_to_have_cost_something() {
    let late = ProviderError::TimedOut {
        stage: "begin to answer",
        after: Duration::from_secs(1),
    };
    let check = async |failures: Vec<ProviderError>, expected: usize| {
        let main = Arc::new(Scripted::new(failures.into_iter().map(Err)).then_says("yes"));
        let attempts = Attempts::default();
        let request = ChatRequest {
            attempts: Some(&attempts),
            ..question()
        };
        let answer = reliable(&[&main]).chat_with_tools(request, &|_| {}).await;
        assert_eq!(attempts.wasted(Some(&answer)).len(), expected);
    };
    check(vec![lost()], 0).await;
    check(vec![late.clone(), lost()], 1).await;
    check(vec![late.clone(), late.clone()], 2).await;
    // The last one is the outcome, which is booked for itself.
    check(vec![late.clone(), late.clone(), late], 2).await;
}

/// What llama.cpp and OpenRouter say of a model that takes none: it answers everything else.
#[test]
fn who_takes_no_pictures_is_of_use_for_everything_else() {
    let llama = ProviderError::Broken {
        status: 500,
        message: "image input is not supported - hint: you may need to provide the mmproj".into(),
    };
    let router = ProviderError::Refused {
        status: 404,
        message: "No endpoints found that support image input".into(),
    };
    for error in [llama, router] {
        assert!(minds_pictures(&error));
        assert_eq!(concerns(&error), Concerns::Question);
        assert_eq!(rest(&error), None);
        assert!(!counts_against(&error));
        assert_eq!(remedy(&error, 0, Duration::ZERO), Remedy::AskTheNext);
    }
    assert!(!minds_pictures(&refused()) && !minds_pictures(&lost()));
}

/// A question that is asked once is not retried, nor sent to another service after a timeout.
#[tokio::test]
async fn model_f2_a_question_that_is_asked_once_is_asked_once() {
    let late = || ProviderError::TimedOut {
        stage: "begin to answer",
        after: Duration::from_secs(1),
    };
    let check = async |failure: ProviderError, expected: [usize; 2]| {
        let main = Arc::new(Scripted::new([Err(failure)]).then_says("yes"));
        let other = Arc::new(Scripted::default().then_says("yes"));
        let request = ChatRequest {
            options: ChatOptions {
                retries: Retries::None,
                ..ChatOptions::default()
            },
            ..question()
        };
        let reliable = reliable(&[&main, &other]);
        let answer = reliable.chat_with_tools(request, &|_| {}).await;
        assert_eq!(answer.is_ok(), expected[1] == 1);
        assert_eq!([main.asked().len(), other.asked().len()], expected);
    };
    check(late(), [1, 0]).await;
    check(lost(), [1, 1]).await;
}

/// It was waited for already.
#[test]
fn model_f7_a_server_that_still_loads_is_not_asked_again() {
    let loading = ProviderError::Broken {
        status: 503,
        message: "Loading model".into(),
    };
    assert_eq!(remedy(&loading, 0, Duration::ZERO), Remedy::AskTheNext);
}
