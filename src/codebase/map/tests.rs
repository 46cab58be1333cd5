//! Tests of maps.

use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};
use sayso_core::transcript::estimate_tokens;

use super::MapRequest;
use crate::codebase::Codebase;

fn codebase(files: &[[&str; 2]]) -> Codebase {
    let mut codebase = Codebase::default();
    for [path, text] in files {
        codebase.put(path, text.as_bytes()).unwrap();
    }
    codebase
}

/// A small shop: everything uses the price, the cart uses the store.
fn shop() -> Codebase {
    codebase(&[
        [
            "src/price.rs",
            "pub struct Price(u64);\n\npub fn total_price(all: &[Price]) -> Price {\n    todo!()\n}\n\nfn unused_helper() {}\n",
        ],
        [
            "src/cart.rs",
            "pub struct Cart;\n\nimpl Cart {\n    pub fn add_item(&mut self) {\n        total_price(&[]);\n        save_cart(self);\n    }\n}\n",
        ],
        [
            "src/store.rs",
            "pub fn save_cart(cart: &Cart) {\n    total_price(&[]);\n}\n",
        ],
        [
            "src/mail.rs",
            "pub fn send_receipt() {\n    total_price(&[]);\n}\n",
        ],
        ["vendor/price.rs", "pub fn total_price() {}\n"],
        ["README.md", "# Shop\n"],
    ])
}

fn text(codebase: &Codebase, message: &str, tokens: usize) -> String {
    let request = MapRequest {
        message,
        tokens,
        ..MapRequest::default()
    };
    codebase.map(&request).text
}

#[test]
fn what_most_refer_to_comes_first() {
    let shop = shop();
    let map = text(&shop, "", 1_024);
    assert!(map.starts_with("src/price.rs\n"), "{map}");
    assert!(
        map.contains("    3 pub fn total_price(all: &[Price]) -> Price\n"),
        "{map}"
    );
    assert!(map.contains("    4 pub fn add_item(&mut self)\n"), "{map}");
    // The one that is brought along from elsewhere comes after all that the project refers to.
    let place = |path: &str| map.find(path).unwrap();
    for path in ["src/price.rs", "src/store.rs", "src/cart.rs"] {
        assert!(place(path) < place("vendor/price.rs"), "{map}");
    }
}

#[test]
fn the_message_points() {
    let shop = shop();
    let small = text(&shop, "", 24);
    assert!(!small.contains("send_receipt"), "{small}");
    let asked = text(&shop, "send the receipt again", 24);
    assert!(asked.contains("send_receipt"), "{asked}");
    let named = text(&shop, "look at save_cart", 24);
    assert!(named.contains("save_cart"), "{named}");
}

#[test]
fn files_in_view_point() {
    let shop = shop();
    let request = MapRequest {
        in_view: &["src/cart.rs"],
        ..MapRequest::default()
    };
    let ranked = shop.map(&request).ranked;
    let place = |path: &str| ranked.iter().position(|file| file.path == path).unwrap();
    assert!(place("src/store.rs") < place("src/mail.rs"));
}

#[test]
fn without_room_nothing_is_shown() {
    let shop = shop();
    assert_eq!(text(&shop, "", 0), "");
    assert_eq!(text(&shop, "", 5), "");
    assert_eq!(text(&Codebase::default(), "x", 100), "");
}

#[test]
fn a_repository_of_one_name_is_no_graph() {
    // Names that everybody defines connect nothing, and cost no square of edges.
    let mut many = Codebase::default();
    for file in 0..400 {
        let text = "fn new() { new() }\n".repeat(10);
        many.put(&format!("src/f{file}.rs"), text.as_bytes())
            .unwrap();
    }
    let map = many.map(&MapRequest {
        tokens: 200,
        ..MapRequest::default()
    });
    assert!(map.tokens <= 200 && map.definitions > 0);
}

proptest! {
    #[test]
    fn a_map_is_within_its_budget_and_the_same_twice(
        names in prop::collection::vec("[a-z]{1,8}(_[a-z]{1,8})?", 1..30),
        calls in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..60),
        message in "[a-z_ ]{0,40}",
        tokens in 0_usize..400,
    ) {
        let mut files: Vec<String> = names.iter().map(|name| format!("fn {name}() {{\n")).collect();
        for (from, to) in &calls {
            let called = to.get(&names).clone();
            let at = from.index(files.len());
            let call = format!("    {called}();\n");
            files[at].push_str(&call);
        }
        let make = |order: &[usize]| {
            let mut codebase = Codebase::default();
            for at in order {
                let text = format!("{}}}\n", files[*at]);
                codebase.put(&format!("src/{at}.rs"), text.as_bytes()).unwrap();
            }
            codebase
        };
        let order: Vec<usize> = (0..files.len()).collect();
        let backwards: Vec<usize> = order.iter().rev().copied().collect();
        let request = MapRequest { message: &message, tokens, ..MapRequest::default() };
        let (one, other) = (make(&order), make(&backwards));
        let (one, other) = (one.map(&request), other.map(&request));
        prop_assert_eq!(&one, &other);
        prop_assert!(one.tokens <= tokens);
        prop_assert_eq!(one.tokens, estimate_tokens(&one.text));
        let sum: f64 = one.ranked.iter().map(|file| file.score).sum();
        prop_assert!((sum - 1.0).abs() < 1e-6, "{}", sum);
    }
}
