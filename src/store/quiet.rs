//! When a session is quiet: what is done by itself, and costs a model call, waits for that.

/// The condition that a session has no running turn and no waiting message, and that the erasure of
/// the user of the row is not pending. `row` is the alias of the row.
///
/// The first conditions on turns and erasures are those of their partial indexes.
macro_rules! is_quiet {
    ($row:literal) => {
        concat!(
            "NOT EXISTS (SELECT 1 FROM turns t WHERE t.session_id = ",
            $row,
            ".session_id
                     AND t.state <> 'ended' AND t.state = 'running')
         AND NOT EXISTS (SELECT 1 FROM jobs j
                         WHERE j.session_id = ",
            $row,
            ".session_id AND j.origin = 'message')
         AND NOT EXISTS (SELECT 1 FROM erasures e, json_each(e.users) one
                         WHERE e.state IN ('open', 'wanted', 'cleared') AND e.state = 'wanted'
                           AND one.value = ",
            $row,
            ".user_id)"
        )
    };
}
pub(super) use is_quiet;
