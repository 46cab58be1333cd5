//! What the fetcher does with names, redirects, bodies and time, over real connections.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use sayso_policy::{HostPattern, HostRules, Method};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::{FetchError, FetchLimits, Fetcher, Names};
use crate::addresses::Special;
use crate::answer::Answer;
use crate::redirect::Request;
use crate::target::Target;

const HERE: [u8; 4] = [127, 0, 0, 1];
const METADATA: [u8; 4] = [169, 254, 169, 254];

/// A server on this machine that gives its answers in order, each on a connection of its own.
struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn giving(answers: Vec<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut open = Vec::new();
            for answer in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = read_head(&mut stream).await;
                record.lock().unwrap().push(request);
                // Who has read enough goes away.
                let _ = stream.write_all(&answer).await;
                open.push(stream);
            }
            std::future::pending::<()>().await;
        });
        Self { port, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    String::from_utf8(head).unwrap()
}

fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

fn redirect(location: &str) -> Vec<u8> {
    answer("302 Found", &format!("location: {location}\r\n"), b"")
}

fn rules(private: &[String]) -> HostRules {
    let pattern = |text: &String| HostPattern::parse(text).unwrap();
    HostRules {
        private: private.iter().map(pattern).collect(),
        ..HostRules::default()
    }
}

/// A fetcher for which names have these addresses, one list for each look-up.
fn fetcher(private: &[String], names: &[&[[u8; 4]]]) -> Fetcher {
    let addresses = |list: &&[[u8; 4]]| list.iter().map(|octets| IpAddr::from(*octets)).collect();
    let names: VecDeque<Vec<IpAddr>> = names.iter().map(addresses).collect();
    let limits = FetchLimits {
        timeout: Duration::from_secs(5),
        max_bytes: 1000,
    };
    Fetcher::prepared(rules(private), limits, Names::Prepared(Mutex::new(names)))
}

async fn get(fetcher: &Fetcher, url: &str) -> Result<Answer, FetchError> {
    let request = Request {
        method: Method::Get,
        target: Target::parse(url, fetcher.rules()).unwrap(),
        headers: HeaderMap::new(),
        body: None,
    };
    fetcher.fetch(request).await
}

fn not_public(host: &str, special: Special) -> FetchError {
    FetchError::NotPublic {
        host: host.to_owned(),
        special,
    }
}

#[tokio::test]
async fn a_name_that_leads_home_is_not_asked() {
    for (octets, special) in [
        (HERE, Special::Loopback),
        (METADATA, Special::LinkLocal),
        ([10, 0, 0, 1], Special::Private),
        ([100, 100, 100, 200], Special::Shared),
    ] {
        let fetcher = fetcher(&[], &[&[octets]]);
        let error = get(&fetcher, "http://rebound.example/").await.unwrap_err();
        assert_eq!(error, not_public("rebound.example", special));
    }
}

#[tokio::test]
async fn a_name_on_the_list_leads_home_and_no_further() {
    let server = Server::giving(vec![answer("200 OK", "", b"home")]).await;
    let nas = format!("nas.local:{}", server.port);
    let url = format!("http://{nas}/");
    let fetcher = fetcher(&[nas], &[&[HERE], &[METADATA]]);
    assert_eq!(get(&fetcher, &url).await.unwrap().body, b"home");
    let error = get(&fetcher, &url).await.unwrap_err();
    assert_eq!(error, not_public("nas.local", Special::LinkLocal));
}

/// DNS rebinding: the connection uses the addresses that were checked, since the name is not
/// resolved a second time.
#[tokio::test]
async fn a_second_look_up_cannot_change_where_a_request_goes() {
    let server = Server::giving(vec![answer("200 OK", "", b"checked")]).await;
    let name = format!("rebound.example:{}", server.port);
    let url = format!("http://{name}/");
    let fetcher = fetcher(&[name], &[&[HERE], &[[127, 0, 0, 2]]]);
    assert_eq!(get(&fetcher, &url).await.unwrap().body, b"checked");
    let Names::Prepared(left) = &fetcher.names else {
        panic!("names of the system");
    };
    assert_eq!(left.lock().unwrap().len(), 1, "it was looked up once");
}

#[tokio::test]
async fn each_hop_is_looked_up_and_checked_anew() {
    let server = Server::giving(vec![redirect("/again")]).await;
    let name = format!("rebound.example:{}", server.port);
    let url = format!("http://{name}/");
    let fetcher = fetcher(&[name], &[&[HERE], &[METADATA]]);
    let error = get(&fetcher, &url).await.unwrap_err();
    assert_eq!(error, not_public("rebound.example", Special::LinkLocal));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn of_several_addresses_only_the_public_ones_are_connected_to() {
    let fetcher = fetcher(&[], &[&[HERE, [192, 168, 0, 1], METADATA], &[]]);
    let target = Target::parse("http://mixed.example/", fetcher.rules()).unwrap();
    let refused = fetcher.names.checked(&target, fetcher.rules()).await;
    assert!(refused.is_err());
    let names = [[HERE, [93, 184, 216, 34], METADATA]
        .map(IpAddr::from)
        .to_vec()];
    let names = Names::Prepared(Mutex::new(names.into()));
    let open = names.checked(&target, fetcher.rules()).await.unwrap();
    assert_eq!(open, [([93, 184, 216, 34], 80).into()]);
}

#[tokio::test]
async fn a_chain_of_redirects_has_an_end() {
    let server = Server::giving((0..7).map(|hop| redirect(&format!("/{hop}"))).collect()).await;
    let place = format!("127.0.0.1:{}", server.port);
    let fetcher = fetcher(std::slice::from_ref(&place), &[]);
    let error = get(&fetcher, &format!("http://{place}/"))
        .await
        .unwrap_err();
    assert_eq!(error, FetchError::TooManyRedirects(5));
    assert_eq!(server.asked().len(), 6);
}

#[tokio::test]
async fn a_body_without_end_is_cut() {
    let endless = [
        b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n".to_vec(),
        vec![b'x'; 1_000_000],
    ]
    .concat();
    let server = Server::giving(vec![endless]).await;
    let place = format!("127.0.0.1:{}", server.port);
    let fetcher = fetcher(std::slice::from_ref(&place), &[]);
    let answer = get(&fetcher, &format!("http://{place}/")).await.unwrap();
    assert_eq!((answer.body.len(), answer.is_cut), (1000, true));
}

#[tokio::test]
async fn what_takes_too_long_is_given_up() {
    let unfinished = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nslow".to_vec();
    for answer in [unfinished, Vec::new()] {
        let server = Server::giving(vec![answer]).await;
        let place = format!("127.0.0.1:{}", server.port);
        let mut fetcher = fetcher(std::slice::from_ref(&place), &[]);
        fetcher.limits.timeout = Duration::from_millis(300);
        let error = get(&fetcher, &format!("http://{place}/"))
            .await
            .unwrap_err();
        assert_eq!(error, FetchError::TimedOut(Duration::from_millis(300)));
    }
}

#[tokio::test]
async fn an_unknown_packing_is_told() {
    let packed = answer("200 OK", "content-encoding: br\r\n", b"??");
    let server = Server::giving(vec![packed]).await;
    let place = format!("127.0.0.1:{}", server.port);
    let fetcher = fetcher(std::slice::from_ref(&place), &[]);
    let error = get(&fetcher, &format!("http://{place}/"))
        .await
        .unwrap_err();
    assert_eq!(error, FetchError::Packed("br".to_owned()));
}

#[tokio::test]
async fn a_server_learns_what_was_shown_and_no_more() {
    let server = Server::giving(vec![answer("200 OK", "", b"")]).await;
    let place = format!("127.0.0.1:{}", server.port);
    let fetcher = fetcher(std::slice::from_ref(&place), &[]);
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/plain"));
    let url = format!("http://{place}/a?b=c#d");
    let request = Request {
        method: Method::Get,
        target: Target::parse(&url, fetcher.rules()).unwrap(),
        headers,
        body: None,
    };
    fetcher.fetch(request).await.unwrap();
    let asked = server.asked().remove(0).replace(&place, "HOST");
    let version = env!("CARGO_PKG_VERSION");
    let mut lines: Vec<_> = asked.trim_end().lines().collect();
    lines[1..].sort_unstable();
    let sayso = format!("user-agent: Sayso/{version}");
    assert_eq!(
        lines,
        [
            "GET /a?b=c HTTP/1.1",
            "accept-encoding: gzip, deflate",
            "accept: text/plain",
            "host: HOST",
            &sayso,
        ]
    );
}

#[tokio::test]
async fn no_one_at_the_port_is_told_without_the_address_of_anything_else() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let place = listener.local_addr().unwrap().to_string();
    drop(listener);
    let fetcher = fetcher(std::slice::from_ref(&place), &[]);
    let error = get(&fetcher, &format!("http://{place}/"))
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the server cannot be asked: "),
        "{error}"
    );
    assert!(error.to_string().contains("refused"), "{error}");
}
