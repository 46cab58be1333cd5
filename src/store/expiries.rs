//! When what is asked at the door expires. It is looked for every few seconds, and almost always in
//! vain, so one statement looks at all of it.

use super::{Readers, StoreError};

const NEXT: &str = "
    SELECT min(next_ms) FROM (
        SELECT min(expires_ms) AS next_ms FROM admissions WHERE state = 'open'
        UNION ALL SELECT min(expires_ms) FROM link_requests WHERE state = 'open'
        UNION ALL SELECT min(expires_ms) FROM budget_cards WHERE state = 'open'
        UNION ALL SELECT min(expires_ms) FROM erasures WHERE state = 'open'
        UNION ALL SELECT min(expires_ms) FROM forgettings WHERE state = 'open'
        UNION ALL SELECT min(expires_ms) FROM skill_reviews WHERE state = 'open')";

/// Returns when the next of the open questions expires that the door asks: about strangers, linked
/// accounts, limits to raise, erasures, memories to forget and skills to review. In milliseconds
/// since 1970.
pub async fn next(readers: &Readers) -> Result<Option<i64>, StoreError> {
    Ok(sqlx::query_scalar(NEXT).fetch_one(readers).await?)
}

#[cfg(test)]
mod tests {
    use sqlx::{ConnectOptions, Connection, Executor};

    use super::next;
    use crate::store::{Store, open};

    /// A question of each kind, each to be answered sooner than those before it.
    const ASKED: [(i64, &str); 6] = [
        (
            60,
            "INSERT INTO admissions VALUES (1, 'a', 'telegram', '7', 'Bob', '{}', 60, 'open')",
        ),
        (
            50,
            "INSERT INTO link_requests VALUES (1, 'join', 50, 'open')",
        ),
        (
            40,
            "INSERT INTO budget_cards VALUES (1, 'a', 1, '', 'user', '', '[]', 40, 'open')",
        ),
        (
            30,
            "INSERT INTO erasures VALUES (1, 'a', 1, 1, '{}', 30, 'open', '[]', NULL, NULL)",
        ),
        (
            20,
            "INSERT INTO forgettings VALUES (1, 'a', 1, 1, 'user', 1, '[]', 20, 'open', NULL)",
        ),
        (
            10,
            "INSERT INTO skill_reviews
             VALUES (1, 'a', 'pin', '', 1, 1, '{}', 'user', 1, 'user', 1, '', '', '', 10, 'open')",
        ),
    ];

    #[tokio::test]
    async fn what_expires_first_is_found_whatever_is_asked() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sayso.db");
        let store = Store::open(&path).await.unwrap();
        // Whose questions they are does not matter here.
        let options = open::options(&path).foreign_keys(false);
        let mut connection = options.connect().await.unwrap();
        assert_eq!(next(store.reader()).await.unwrap(), None);
        for (expires_ms, asked) in ASKED {
            connection.execute(asked).await.unwrap();
            let found = next(store.reader()).await.unwrap();
            assert_eq!(found, Some(expires_ms), "{asked}");
        }
        connection
            .execute("UPDATE skill_reviews SET state = 'closed'")
            .await
            .unwrap();
        assert_eq!(next(store.reader()).await.unwrap(), Some(20));
        connection.close().await.unwrap();
    }
}
