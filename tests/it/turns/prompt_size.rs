//! How much a model is sent for the least that can be said: the body of each request, as it leaves.

use crate::test_bot::TestBot;

/// What a small model on a slow machine reads in seconds, and every service is paid for with each
/// message.
const ROUTE_BYTES: usize = 2_800;
const ANSWER_BYTES: usize = 6_400;
/// The names of all skills, and what a question back is made of.
const FORM_BYTES: usize = 1_050;

/// Says hello in a direct chat in which nothing was said before, with the settings as they are
/// shipped.
#[tokio::test]
async fn model_prompt_bytes_for_hello() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    chat.says("hello");
    chat.settles(|message| message.text == "ok: hello").await;
    let [route, answer] = &bot.model.requests()[..] else {
        panic!("two requests")
    };
    assert!(route.is_routing() && !answer.is_routing());
    // All that can be called is among it.
    let tools = answer.tools();
    assert!(tools.iter().any(|tool| tool == "shell"), "{tools:?}");
    // The schema of the answer constrains the decoder and is not part of the prompt.
    let form = route.asked("response_format").to_string().len();
    assert!(form <= FORM_BYTES, "{form} bytes of a form");
    let bytes = [route.body_bytes() - form, answer.body_bytes()];
    let fit = bytes[0] <= ROUTE_BYTES && bytes[1] <= ANSWER_BYTES;
    assert!(fit, "{bytes:?}: {}\n{}", route.body, answer.body);
}
