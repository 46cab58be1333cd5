//! Against the fake embedding server: order, repetitions, time-outs, and answers that are none.

use sayso_fakes::{EmbedderFault, FakeEmbedder, Gate};
use serde_json::json;

use super::*;

const KEY: &str = "sk-embed-0123456789";

fn client(server: &FakeEmbedder, change: impl FnOnce(&mut EmbeddingsConfig)) -> OpenAiEmbeddings {
    let mut config = EmbeddingsConfig {
        base_url: server.url().parse().unwrap(),
        api_key: Some(KEY.into()),
        model: "tiny".to_owned(),
        dimensions: None,
        timeout: Duration::from_secs(20),
    };
    change(&mut config);
    OpenAiEmbeddings {
        first_pause: Duration::from_millis(1),
        ..OpenAiEmbeddings::new(config).unwrap()
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().copied().map(str::to_owned).collect()
}

async fn vectors(client: &OpenAiEmbeddings, of: &[&str]) -> Vec<Vec<f32>> {
    client.embed(&texts(of)).await.unwrap().vectors
}

#[tokio::test]
async fn vectors_stand_in_the_order_of_the_texts() {
    let server = FakeEmbedder::start().await;
    server.requires_key(KEY);
    let client = client(&server, |_| {});
    let both = vectors(&client, &["tea", "cake"]).await;
    let tea = vectors(&client, &["tea"]).await;
    let cake = vectors(&client, &["cake"]).await;
    assert_eq!(both, [tea[0].clone(), cake[0].clone()]);
    assert_ne!(tea, cake);
    assert_eq!(
        server.bodies()[0],
        json!({ "model": "tiny", "input": ["tea", "cake"] })
    );
    server.assert_clean();
}

#[tokio::test]
async fn what_passes_is_asked_again_and_what_is_refused_is_not() {
    let server = FakeEmbedder::start().await;
    let client = client(&server, |_| {});
    for fault in [
        EmbedderFault::Status(500, None),
        EmbedderFault::Status(429, Some(0)),
    ] {
        server.fails_next(fault);
    }
    client.embed(&texts(&["tea"])).await.unwrap();
    assert_eq!(server.requests().len(), 3);

    for (fault, asked) in [
        (EmbedderFault::Status(400, None), 1),
        (EmbedderFault::Status(401, None), 1),
        (EmbedderFault::Status(429, Some(60)), 1),
        (EmbedderFault::Body("[]".to_owned()), 1),
        (EmbedderFault::Status(503, None), 3),
        (EmbedderFault::Drop, 3),
    ] {
        let before = server.requests().len();
        server.fails(fault.clone());
        client.embed(&texts(&["tea"])).await.unwrap_err();
        assert_eq!(server.requests().len() - before, asked, "{fault:?}");
    }
}

#[tokio::test]
async fn model_f6_a_text_that_is_too_long_is_not_sent_again_whatever_the_status() {
    let server = FakeEmbedder::start().await;
    let client = client(&server, |_| {});
    for message in [
        "input (602 tokens) is too large to process. increase the physical batch size (current \
         batch size: 512)",
        "the input length exceeds the context length",
    ] {
        let before = server.requests().len();
        server.fails(EmbedderFault::Said(500, message.to_owned()));
        let error = client.embed(&texts(&["tea"])).await.unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(server.requests().len() - before, 1);
    }
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let server = FakeEmbedder::start().await;
    server.waits_at(&Gate::new());
    let client = client(&server, |config| config.timeout = Duration::from_millis(60));
    let error = client.embed(&texts(&["tea"])).await.unwrap_err();
    assert!(matches!(error, ProviderError::TimedOut { .. }), "{error}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn more_texts_than_the_bound_are_not_sent() {
    let server = FakeEmbedder::start().await;
    let client = client(&server, |_| {});
    for count in [0, MAX_TEXTS + 1] {
        let error = client.embed(&vec!["tea".to_owned(); count]).await;
        assert!(error.is_err(), "{count}");
    }
    assert_eq!(server.requests().len(), 0);
}

/// Returns what is said of an answer for two texts.
async fn said_of(answer: &str) -> String {
    let server = FakeEmbedder::start().await;
    server.fails(EmbedderFault::Body(answer.to_owned()));
    let client = client(&server, |config| config.dimensions = Some(2));
    let answered = client.embed(&texts(&["tea", "cake"])).await;
    answered.unwrap_err().to_string()
}

fn data(vectors: &[(usize, &str)]) -> String {
    let item = |(index, vector): &(usize, &str)| {
        format!("{{\"index\": {index}, \"embedding\": {vector}}}")
    };
    let items: Vec<String> = vectors.iter().map(item).collect();
    format!("{{\"data\": [{}]}}", items.join(","))
}

#[tokio::test]
async fn an_answer_that_cannot_be_computed_with_is_refused() {
    for (answer, said) in [
        (data(&[(0, "[1, 2]")]), "1 vectors for 2 texts"),
        (data(&[(0, "[1, 2]"), (0, "[1, 2]")]), "two vectors of 0"),
        (data(&[(0, "[1, 2]"), (2, "[1, 2]")]), "a vector of 2"),
        (
            data(&[(0, "[1, 2]"), (1, "[1, 2, 3]")]),
            "a vector of 3 numbers instead of 2",
        ),
        (
            data(&[(0, "[1, 2]"), (1, "[1, 1e300]")]),
            "what is no number",
        ),
        (
            data(&[(0, "[1, 2]"), (1, "[1, null]")]),
            "no list of vectors",
        ),
        (
            data(&[(0, "[1, 2]"), (1, "[1, NaN]")]),
            "no list of vectors",
        ),
        ("<html>".to_owned(), "no list of vectors"),
        (
            json!({ "error": { "message": format!("no room for {KEY}"), "code": 500 } })
                .to_string(),
            "failed (HTTP 500): no room for [key]",
        ),
    ] {
        let heard = said_of(&answer).await;
        assert!(heard.contains(said), "{answer}: {heard}");
    }
}

#[tokio::test]
async fn r15_an_absurd_count_is_no_count() {
    let server = FakeEmbedder::start().await;
    let client = client(&server, |_| {});
    server.counts(1 << 40);
    let embedding = client.embed(&texts(&["tea"])).await.unwrap();
    assert_eq!(embedding.tokens, None);
    server.counts(7);
    let embedding = client.embed(&texts(&["tea"])).await.unwrap();
    assert_eq!(embedding.tokens, Some(7));
}
