//! `[http]`: where health and figures are answered.

use crate::test_bot::{TestBot, free_address};

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[("http.listen", listen_is_where_health_is_answered)];

#[tokio::test]
pub async fn listen_is_where_health_is_answered() {
    let address = free_address().to_string();
    let bot = TestBot::with(&[("HTTP__LISTEN", &address)]).await;
    bot.logs("serving health and metrics").await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let asked = client.get(format!("http://{address}/health")).send().await;
    assert_eq!(asked.unwrap().status(), 200);
    bot.assert_clean();
}
