//! `[http]`: where health and figures are answered.

use crate::house::House;

#[tokio::test]
pub async fn listen_is_where_health_is_answered() {
    // Taken and given back, where nobody else listens or calls from.
    let free = std::net::TcpListener::bind("127.0.0.3:0").unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let house = House::with(&[("HTTP__LISTEN", &address)]).await;
    house.logs("health and metrics are answered").await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let asked = client.get(format!("http://{address}/health")).send().await;
    assert_eq!(asked.unwrap().status(), 200);
    house.assert_clean();
}
