//! Completions as the server's page shows them, cut anywhere.

use sayso_core::transcript::Usage;

use super::{Answer, Completion};
use crate::ProviderError;
use crate::wire::replay::arrive;

fn read(body: &str) -> Result<Answer, ProviderError> {
    let answers = (0..20).map(|seed| arrive::<Completion>(body.as_bytes(), 200, seed));
    let mut texts: Vec<_> = answers.collect();
    let last = texts.pop().unwrap();
    for other in texts {
        assert_eq!(format!("{other:?}"), format!("{last:?}"));
    }
    last
}

const STREAM: &str = concat!(
    "data: {\"content\":\"你好\",\"stop\":false,\"tokens\":[1]}\n\n",
    "data: {\"content\":\" there\",\"stop\":false}\n\n",
    "data: {\"content\":\"\",\"stop\":true,\"stop_type\":\"eos\",\"truncated\":false,",
    "\"tokens_evaluated\":57,\"tokens_predicted\":3,\"timings\":{\"prompt_n\":7,\"predicted_n\":3}}\n\n",
);

#[test]
fn a_stream_ends_with_what_it_cost() {
    let reply = read(STREAM).unwrap().into_reply().unwrap();
    assert_eq!(reply.message.text, "你好 there");
    assert!(!reply.truncated);
    let usage = Usage {
        prompt_tokens: 57,
        completion_tokens: 3,
        cached_tokens: 50,
    };
    assert_eq!(reply.usage, usage);
}

#[test]
fn an_answer_that_was_cut_says_so() {
    let limit = STREAM.replace("\"eos\"", "\"limit\"");
    assert!(read(&limit).unwrap().into_reply().unwrap().truncated);
    let context = STREAM.replace("\"truncated\":false", "\"truncated\":true");
    assert!(read(&context).unwrap().into_reply().unwrap().truncated);
    let old = "{\"content\":\"x\",\"stop\":true,\"stopped_limit\":true,\"tokens_evaluated\":4}";
    let old = read(old).unwrap().into_reply().unwrap();
    assert_eq!((old.truncated, old.usage.prompt_tokens), (true, 4));
}

#[test]
fn what_is_no_answer_is_an_error() {
    let (begun, _) = STREAM.split_once("data: {\"content\":\"\"").unwrap();
    assert!(matches!(read(begun), Err(ProviderError::Garbage(_))));
    assert!(matches!(read("{\"x\": 1}"), Err(ProviderError::Garbage(_))));
    let failed = "data: {\"error\":{\"code\":500,\"message\":\"out of memory\",\"type\":\"server_error\"}}\n\n";
    let error = read(failed).unwrap_err();
    assert!(
        matches!(error, ProviderError::Broken { status: 500, .. }),
        "{error}"
    );
}
