//! Limits of money hold only where every model has a price.

use super::read;

const MODEL: &str = "[[providers]]\nmodel = 'small'\n";
const PRICE: &str = "[[prices]]\nmodel = 'small'\ninput = 1\noutput = 2\n";

#[track_caller]
fn refusal(file: &str) -> String {
    read(file, &[]).unwrap_err().to_string()
}

#[test]
fn a_limit_of_money_needs_the_price_of_every_model() {
    let limit = "[budget]\nuser_day_money = 1.5\n";
    let error = refusal(&format!("{limit}{MODEL}"));
    assert!(
        error.contains("sayso.toml:2: `budget.user_day_money`"),
        "{error}"
    );
    assert!(error.contains("the model `small` has no price"), "{error}");
    assert!(read(&format!("{limit}{MODEL}{PRICE}"), &[]).is_ok());
    let free = "[[providers]]\nkind = 'offline'\n";
    assert!(read(&format!("{limit}{free}"), &[]).is_ok());
    assert!(read(MODEL, &[]).is_ok(), "no limit of money, no price");
}

#[test]
fn a_model_has_one_price() {
    let error = refusal(&format!("{PRICE}{PRICE}"));
    assert!(error.contains("`prices.1.model`"), "{error}");
    assert!(error.contains("a model that has no other price"), "{error}");
}
