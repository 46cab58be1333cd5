//! What the helper does itself: it reads documents and pages, sealed off.

use serde_json::Value;

use super::documents::read_sealed;

/// Does sealed work: what is wanted says of what.
pub fn work_sealed(wanted: &Value, bytes: &[u8]) -> Value {
    match (wanted.get("document"), wanted.get("page")) {
        (Some(wanted), _) => read_sealed(wanted, bytes),
        (None, Some(extent)) => sayso_fetch::read_page_sealed(extent, bytes),
        (None, None) => Value::Null,
    }
}
