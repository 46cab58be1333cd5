-- People, chats, sessions, turns and everything that a turn leaves behind.
-- Times are milliseconds since 1970; JSON is TEXT; ids are made by the program (see store/ids.rs).

CREATE TABLE users (
    id         INTEGER PRIMARY KEY,
    created_ms INTEGER NOT NULL
) STRICT;

-- Platform accounts. `standing`: pending, member, owner, blocked.
CREATE TABLE senders (
    channel  TEXT NOT NULL,
    sender   TEXT NOT NULL,
    user_id  INTEGER NOT NULL REFERENCES users (id),
    name     TEXT NOT NULL,
    standing TEXT NOT NULL,
    direct   TEXT,                      -- the address of the direct chat with this account, as JSON
    PRIMARY KEY (channel, sender)
) STRICT;
CREATE INDEX senders_by_user ON senders (user_id);

CREATE TABLE chats (
    id       INTEGER PRIMARY KEY,
    channel  TEXT NOT NULL,
    chat     TEXT NOT NULL,
    kind     TEXT NOT NULL,             -- direct, group
    language TEXT NOT NULL,             -- en, zh-CN
    closed   INTEGER NOT NULL DEFAULT 0,
    UNIQUE (channel, chat)
) STRICT;

CREATE TABLE sessions (
    id          INTEGER PRIMARY KEY,
    chat_id     INTEGER NOT NULL REFERENCES chats (id),
    thread      TEXT NOT NULL DEFAULT '',
    autonomy    TEXT,                   -- lowered by an owner; NULL follows the configuration
    since_seq   INTEGER NOT NULL DEFAULT 0, -- history begins behind this ended turn (/new)
    ended_seq   INTEGER NOT NULL DEFAULT 0, -- how many turns have ended
    lease_owner TEXT,
    lease_fence INTEGER NOT NULL DEFAULT 0,
    lease_until_ms INTEGER NOT NULL DEFAULT 0,
    UNIQUE (chat_id, thread)
) STRICT;

-- The inbox row is the job. `state`: waiting, heard (a turn has it), settled (no turn is needed),
-- overheard (said in a group, but not to us).
CREATE TABLE inbox (
    id         INTEGER PRIMARY KEY,
    channel    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    event      TEXT NOT NULL,
    version    INTEGER NOT NULL,
    session_id INTEGER REFERENCES sessions (id),
    user_id    INTEGER REFERENCES users (id),
    address    TEXT NOT NULL,           -- as JSON
    message    TEXT,                    -- the platform's name of the message
    said       TEXT NOT NULL,           -- the text as a model is shown it
    untrusted  INTEGER NOT NULL DEFAULT 0, -- whether words of others are in it
    album      TEXT,                    -- pieces that belong together: an album, or a split text
    answers    INTEGER,                 -- the question that it answers by a button or a reply
    by_owner   INTEGER NOT NULL DEFAULT 0, -- whether an owner said it
    ready_ms   INTEGER NOT NULL,        -- not before: pieces of an album or of a split text may follow
    state      TEXT NOT NULL,
    turn_id    INTEGER,
    stored_ms  INTEGER NOT NULL,
    UNIQUE (channel, kind, event, version)
) STRICT;
CREATE INDEX inbox_waiting ON inbox (session_id, id) WHERE state = 'waiting';
CREATE INDEX inbox_overheard ON inbox (session_id, id) WHERE state = 'overheard';
CREATE INDEX inbox_by_turn ON inbox (turn_id) WHERE turn_id IS NOT NULL;

-- `state`: running, parked (waits for a person), ended.
CREATE TABLE turns (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id),
    address    TEXT NOT NULL,           -- where its answer goes, as JSON
    reply_to   TEXT,                    -- the message that it answers
    request    TEXT NOT NULL,           -- how it is named to people: the beginning of its first message
    by_owner   INTEGER NOT NULL DEFAULT 0,
    state      TEXT NOT NULL,
    resumes    INTEGER NOT NULL DEFAULT 0, -- starts after a crash
    handed_over INTEGER NOT NULL DEFAULT 0, -- left in good order by a shutdown: the next start is no crash
    stop_by    INTEGER,                 -- who wants it stopped
    started_ms INTEGER NOT NULL,
    ended_ms   INTEGER,
    ended_seq  INTEGER                  -- its place in the session's history; NULL keeps it out
) STRICT;
CREATE INDEX turns_open ON turns (session_id, id) WHERE state <> 'ended';
CREATE INDEX turns_history ON turns (session_id, ended_seq) WHERE ended_seq IS NOT NULL;

CREATE TABLE journal (
    turn_id INTEGER NOT NULL REFERENCES turns (id),
    seq     INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    body    TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    PRIMARY KEY (turn_id, seq)
) STRICT;

-- One asking. `state`: open, closed.
CREATE TABLE cards (
    id         INTEGER PRIMARY KEY,
    turn_id    INTEGER NOT NULL REFERENCES turns (id),
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who asked for the turn
    chat_id    INTEGER NOT NULL REFERENCES chats (id), -- where it may be pressed
    token      TEXT NOT NULL UNIQUE,    -- stands for all its calls
    expires_ms INTEGER NOT NULL,
    state      TEXT NOT NULL
) STRICT;
CREATE INDEX cards_open ON cards (expires_ms) WHERE state = 'open';
CREATE INDEX cards_by_turn ON cards (turn_id);

-- The calls of a card. `verdict`: NULL, approved, denied, expired, dropped.
CREATE TABLE held_calls (
    token      TEXT PRIMARY KEY,
    card_id    INTEGER NOT NULL REFERENCES cards (id),
    turn_id    INTEGER NOT NULL REFERENCES turns (id),
    call_id    TEXT NOT NULL,
    position   INTEGER NOT NULL,
    tool       TEXT NOT NULL,
    summary    TEXT NOT NULL,           -- what was shown
    why        TEXT NOT NULL,
    digest     TEXT NOT NULL,           -- what the approval is bound to
    pattern    TEXT,                    -- what an "always" would cover, as JSON
    verdict    TEXT,
    verdict_by INTEGER REFERENCES users (id),
    verdict_ms INTEGER,
    used_ms    INTEGER                  -- when the call was started on this approval
) STRICT;
CREATE INDEX held_calls_by_card ON held_calls (card_id, position);
CREATE INDEX held_calls_by_turn ON held_calls (turn_id, call_id);

CREATE TABLE grants (
    id         INTEGER PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id),
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    pattern    TEXT NOT NULL,           -- as JSON
    created_ms INTEGER NOT NULL,
    UNIQUE (user_id, session_id, pattern)
) STRICT;

-- A clarification that waits for its answer. `state`: open, closed.
CREATE TABLE questions (
    id         INTEGER PRIMARY KEY,
    turn_id    INTEGER NOT NULL REFERENCES turns (id),
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id),
    request    TEXT NOT NULL,
    question   TEXT NOT NULL,
    choices    TEXT NOT NULL,           -- as JSON
    token      TEXT NOT NULL UNIQUE,
    asked      INTEGER NOT NULL,        -- how many in a row, this one included
    expires_ms INTEGER NOT NULL,
    state      TEXT NOT NULL
) STRICT;
CREATE INDEX questions_open ON questions (session_id, user_id) WHERE state = 'open';

-- One row per platform message to send, or per edit of one.
-- `state`: pending, sending, sent, unknown, failed, superseded.
-- `purpose`: final, card, question, notice, live, edit.
CREATE TABLE outbox (
    id         INTEGER PRIMARY KEY,
    channel    TEXT NOT NULL,
    address    TEXT NOT NULL,           -- as JSON
    turn_id    INTEGER,
    purpose    TEXT NOT NULL,
    subject    INTEGER,                 -- the card or question that the message shows
    edits      INTEGER,                 -- the row whose message is edited; NULL sends a new one
    part       TEXT NOT NULL,           -- as JSON
    state      TEXT NOT NULL,
    resent     INTEGER NOT NULL DEFAULT 0,
    message    TEXT,                    -- the platform's name of it, once sent
    why        TEXT,                    -- why it failed
    created_ms INTEGER NOT NULL,
    sent_ms    INTEGER
) STRICT;
CREATE INDEX outbox_open ON outbox (channel, id) WHERE state IN ('pending', 'sending', 'unknown');
CREATE INDEX outbox_by_turn ON outbox (turn_id, purpose);
CREATE INDEX outbox_by_subject ON outbox (purpose, subject) WHERE subject IS NOT NULL;
CREATE INDEX outbox_by_message ON outbox (channel, message) WHERE message IS NOT NULL;

-- Codes that let somebody in. `purpose`: owner.
CREATE TABLE pairing_codes (
    code       TEXT PRIMARY KEY,
    purpose    TEXT NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT;

-- Strangers who wrote, until an owner answers. `state`: open, allowed, blocked, expired.
CREATE TABLE admissions (
    id         INTEGER PRIMARY KEY,
    token      TEXT NOT NULL UNIQUE,
    channel    TEXT NOT NULL,
    sender     TEXT NOT NULL,
    name       TEXT NOT NULL,
    address    TEXT NOT NULL,           -- where the stranger wrote, as JSON
    expires_ms INTEGER NOT NULL,
    state      TEXT NOT NULL
) STRICT;
CREATE INDEX admissions_open ON admissions (channel, sender) WHERE state = 'open';
