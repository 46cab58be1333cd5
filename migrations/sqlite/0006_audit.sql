-- What was decided, run and allowed: one row each, chained by hashes (src/audit/chain.rs).
-- Ids refer to rows that may go; nothing here goes with them.
CREATE TABLE audit (
    seq        INTEGER PRIMARY KEY,     -- 1, 2, 3 and so on, without a gap
    at_ms      INTEGER NOT NULL,
    event      TEXT NOT NULL,
    turn_id    INTEGER,
    session_id INTEGER,
    chat_id    INTEGER,
    user_id    INTEGER,                 -- whom it concerns: whose turn, whose account
    call_id    TEXT,
    tool       TEXT,
    decision   TEXT,
    decided_by TEXT,                    -- policy, time, user N
    outcome    TEXT,
    digest     TEXT,                    -- of salt and payload, also when they were erased
    hash       TEXT NOT NULL            -- of the row before and of this one
) STRICT;
CREATE INDEX audit_by_turn ON audit (turn_id, seq) WHERE turn_id IS NOT NULL;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'rows of the audit are never changed'); END;
CREATE TRIGGER audit_is_never_cut BEFORE DELETE ON audit
BEGIN SELECT raise(ABORT, 'rows of the audit are never deleted'); END;

-- What a row is about in a person's own words. These rows can be erased, and the chain still holds.
CREATE TABLE audit_payloads (
    seq     INTEGER PRIMARY KEY REFERENCES audit (seq),
    user_id INTEGER,
    salt    BLOB NOT NULL,
    payload TEXT NOT NULL               -- as JSON, redacted
) STRICT;
CREATE INDEX audit_payloads_by_user ON audit_payloads (user_id);
