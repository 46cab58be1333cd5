-- The schema. Times are milliseconds since 1970; JSON is TEXT; ids are made by the program
-- (store/ids.rs).

-- ----- People and chats

-- Accounts of one person have the same `person`; each account keeps its user.
CREATE TABLE users (
    id         INTEGER PRIMARY KEY,
    created_ms INTEGER NOT NULL,
    -- numbers are never used again; NULL: no other account
    person     INTEGER,
    -- en, zh-CN: chosen by a command, of the last clear words, and as the client reports it
    chosen_language  TEXT,
    written_language TEXT,
    client_language  TEXT,
    language TEXT GENERATED ALWAYS AS
        (coalesce(chosen_language, written_language, client_language)) VIRTUAL,
    -- by whose clock, as IANA names zones; NULL: the zone of the configuration
    zone  TEXT,
    -- when unasked messages wait: `22:30-07:30`, `off`; NULL: as the configuration says
    quiet TEXT
) STRICT;
CREATE INDEX users_by_person ON users (person) WHERE person IS NOT NULL;

-- Platform accounts. `standing`: listed, pending, guest, member, owner, blocked.
CREATE TABLE senders (
    channel  TEXT NOT NULL,
    sender   TEXT NOT NULL,
    user_id  INTEGER NOT NULL REFERENCES users (id),
    name     TEXT NOT NULL,
    standing TEXT NOT NULL,
    -- the address of the direct chat with this account, as JSON
    direct   TEXT,
    PRIMARY KEY (channel, sender)
) STRICT;
CREATE INDEX senders_by_user ON senders (user_id);
CREATE INDEX senders_by_sender ON senders (sender);

-- `closed`: it cannot be written to any more.
CREATE TABLE chats (
    id          INTEGER PRIMARY KEY,
    channel     TEXT NOT NULL,
    chat        TEXT NOT NULL,
    kind        TEXT NOT NULL,           -- direct, group
    -- en, zh-CN, or empty: unknown. Of a direct chat, that of its person; of a group, that of the
    -- last clear words in it
    language    TEXT NOT NULL,
    closed      INTEGER NOT NULL DEFAULT 0,
    opened_ms   INTEGER NOT NULL DEFAULT 0, -- when we could last speak here again; 0: never closed
    -- whether it was told that somebody cannot be seen who hides behind it
    told_unseen INTEGER NOT NULL DEFAULT 0,
    UNIQUE (channel, chat)
) STRICT;

-- What is said in a chat, or in one thread of it. One worker at a time has the lease.
CREATE TABLE sessions (
    id             INTEGER PRIMARY KEY,
    chat_id        INTEGER NOT NULL REFERENCES chats (id),
    thread         TEXT NOT NULL DEFAULT '', -- '': the chat itself
    autonomy       TEXT,                 -- lowered by an owner; NULL follows the configuration
    since_seq      INTEGER NOT NULL DEFAULT 0, -- history begins behind this ended turn (/new)
    ended_seq      INTEGER NOT NULL DEFAULT 0, -- how many turns have ended
    lease_owner    TEXT,
    lease_worker   INTEGER,              -- the slot of the worker that it is a process of
    lease_fence    INTEGER NOT NULL DEFAULT 0,
    lease_until_ms INTEGER NOT NULL DEFAULT 0,
    -- asked first: `server/model`; NULL follows the configuration
    model          TEXT,
    title          TEXT,                 -- what a thread is called, where the platform says it
    -- 1: work beside the conversation, with a history of its own
    background     INTEGER NOT NULL DEFAULT 0,
    project        TEXT,                 -- that its turns work in, by its name in the configuration
    UNIQUE (chat_id, thread, background)
) STRICT;

-- Who goes by which name in a group. `mark` tells people of one name apart; the first has none,
-- which is 1.
CREATE TABLE chat_names (
    channel TEXT NOT NULL,
    chat    TEXT NOT NULL,
    sender  TEXT NOT NULL,
    name    TEXT NOT NULL,
    mark    INTEGER NOT NULL,
    PRIMARY KEY (channel, chat, sender)
) STRICT;
CREATE INDEX chat_names_by_name ON chat_names (channel, chat, name);

-- Codes that let somebody in. `purpose`: owner.
CREATE TABLE pairing_codes (
    code       TEXT PRIMARY KEY,
    purpose    TEXT NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT;

-- What /link gave to an account, to be sent from another one.
CREATE TABLE link_codes (
    user_id    INTEGER PRIMARY KEY REFERENCES users (id),
    code       TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,            -- how people see the account
    address    TEXT NOT NULL,            -- its direct chat, as JSON
    expires_ms INTEGER NOT NULL
) STRICT;

-- Wrong codes of an account since a time.
CREATE TABLE link_tries (
    user_id  INTEGER PRIMARY KEY REFERENCES users (id),
    wrong    INTEGER NOT NULL,
    since_ms INTEGER NOT NULL
) STRICT;

-- Accounts that are to be joined, or one that is to be parted from its person, once each of its
-- sides has confirmed. `wish`: join, part. `state`: open, done, refused, expired, dropped.
CREATE TABLE link_requests (
    id         INTEGER PRIMARY KEY,
    wish       TEXT NOT NULL,
    state      TEXT NOT NULL
) STRICT;

-- One card about a request, for one account.
CREATE TABLE link_sides (
    id           INTEGER PRIMARY KEY,
    request_id   INTEGER NOT NULL REFERENCES link_requests (id),
    user_id      INTEGER NOT NULL REFERENCES users (id), -- who must confirm
    chat_id      INTEGER NOT NULL REFERENCES chats (id), -- where
    name         TEXT NOT NULL,          -- how people see the account
    confirmed_ms INTEGER
) STRICT;
CREATE INDEX link_sides_by_request ON link_sides (request_id, id);
CREATE INDEX link_sides_by_user ON link_sides (user_id);

-- What people wrote of themselves for the model to know: the part of USER.md that is theirs.
CREATE TABLE profiles (
    user_id    INTEGER PRIMARY KEY REFERENCES users (id),
    text       TEXT NOT NULL,
    written_ms INTEGER NOT NULL
) STRICT;

-- Who listens with which token: one listener at a time, so that two do not take each other's
-- messages.
CREATE TABLE pollers (
    -- SHA-256 of the token, in hex; the token itself is not kept
    token    TEXT PRIMARY KEY,
    owner    TEXT NOT NULL,              -- the process and its channel
    until_ms INTEGER NOT NULL            -- the lease ends here unless it is prolonged
) STRICT;

-- ----- Turns: a job waits for one, the journal is the turn

-- What was heard. `state`: waiting, heard (a turn has it), settled (no turn is needed),
-- overheard (said in a group, but not to us).
CREATE TABLE inbox (
    id         INTEGER PRIMARY KEY,
    channel    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    event      TEXT NOT NULL,
    version    INTEGER NOT NULL,
    session_id INTEGER REFERENCES sessions (id),
    user_id    INTEGER REFERENCES users (id),
    address    TEXT NOT NULL,            -- as JSON
    message    TEXT,                     -- the platform's name of the message
    said       TEXT NOT NULL,            -- the text as a model is shown it
    untrusted  INTEGER NOT NULL DEFAULT 0, -- whether words of others are in it
    album      TEXT,                     -- pieces that belong together: an album, or a split text
    answers    INTEGER,                  -- the question that it answers by a button or a reply
    role       TEXT NOT NULL DEFAULT 'guest', -- of who said it: guest, member, owner
    -- not before: pieces of an album or of a split text may follow
    ready_ms   INTEGER NOT NULL,
    state      TEXT NOT NULL,
    turn_id    INTEGER,
    stored_ms  INTEGER NOT NULL,
    happened_ms INTEGER,                 -- by the platform's clock; NULL: read back
    sender     TEXT,                     -- the account that did it, as in `senders`; NULL: read back
    -- what a message announces, as JSON; the turn that takes it fetches them
    files      TEXT,
    -- said while a turn runs: 'steer' joins it, 'queue' waits, 'interrupt' comes next
    while_busy TEXT,
    dropped_by INTEGER,                  -- the stopped turn that says that it was dropped
    UNIQUE (channel, kind, event, version)
) STRICT;
CREATE INDEX inbox_overheard ON inbox (session_id, id) WHERE state = 'overheard';
CREATE INDEX inbox_dropped ON inbox (dropped_by) WHERE dropped_by IS NOT NULL;
CREATE INDEX inbox_by_turn ON inbox (turn_id) WHERE turn_id IS NOT NULL;
-- The newest message of a session stays: from there a platform reads back.
CREATE INDEX inbox_messages ON inbox (session_id, id)
    WHERE kind = 'message' AND message IS NOT NULL;

-- Messages that came too fast and were skipped: a row goes when its person is told how many.
CREATE TABLE skipped_messages (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id),
    address    TEXT NOT NULL,            -- of the last one, as JSON
    reply_to   TEXT,                     -- the platform's name of the last one, in a group
    language   TEXT NOT NULL,            -- in which the person is answered
    messages   INTEGER NOT NULL,
    first_ms   INTEGER NOT NULL,
    last_ms    INTEGER NOT NULL,
    PRIMARY KEY (session_id, user_id)
) STRICT, WITHOUT ROWID;

-- What waits for a turn; the row goes in the transaction that begins the turn. A message that waits
-- has a job with its own id, which follows it by the triggers below.
CREATE TABLE jobs (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    id         INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,
    origin     TEXT NOT NULL,            -- message, routine, goal, chain, check, console
    due_ms     INTEGER NOT NULL,         -- not before
    payload    TEXT,                     -- what is to be done, as JSON; NULL: a message
    PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER a_waiting_message_is_a_job AFTER INSERT ON inbox WHEN new.state = 'waiting'
BEGIN
    INSERT INTO jobs (session_id, id, user_id, origin, due_ms)
    SELECT new.session_id, new.id, new.user_id, 'message', new.ready_ms
    WHERE new.session_id IS NOT NULL AND new.user_id IS NOT NULL;
END;
CREATE TRIGGER a_job_follows_its_message AFTER UPDATE OF state, user_id, ready_ms ON inbox
WHEN old.state = 'waiting' OR new.state = 'waiting'
BEGIN
    DELETE FROM jobs WHERE session_id = old.session_id AND id = old.id;
    INSERT INTO jobs (session_id, id, user_id, origin, due_ms)
    SELECT new.session_id, new.id, new.user_id, 'message', new.ready_ms
    WHERE new.state = 'waiting' AND new.session_id IS NOT NULL AND new.user_id IS NOT NULL;
END;
CREATE TRIGGER a_job_goes_with_its_message AFTER DELETE ON inbox WHEN old.state = 'waiting'
BEGIN
    DELETE FROM jobs WHERE session_id = old.session_id AND id = old.id;
END;

CREATE TRIGGER lines_go_with_their_text AFTER UPDATE OF said ON inbox WHEN new.said = ''
BEGIN
    DELETE FROM lines WHERE id = new.id;
END;

-- `state`: running, parked (waits for a person), ended.
CREATE TABLE turns (
    id           INTEGER PRIMARY KEY,
    session_id   INTEGER NOT NULL REFERENCES sessions (id),
    user_id      INTEGER NOT NULL REFERENCES users (id),
    address      TEXT NOT NULL,          -- where its answer goes, as JSON
    reply_to     TEXT,                   -- the message that it answers
    -- how it is named to people: the beginning of its first message
    request      TEXT NOT NULL,
    role         TEXT NOT NULL DEFAULT 'guest', -- of who wants it: guest, member, owner
    state        TEXT NOT NULL,
    resumes      INTEGER NOT NULL DEFAULT 0, -- starts after a crash
    -- left in good order by a shutdown: the next start is no crash
    handed_over  INTEGER NOT NULL DEFAULT 0,
    stop_by      INTEGER,                -- who wants it stopped
    -- how many background commands ended with it
    stop_background INTEGER NOT NULL DEFAULT 0,
    stop_said    INTEGER NOT NULL DEFAULT 0, -- whether the stop was answered: its end says nothing
    started_ms   INTEGER NOT NULL,
    ended_ms     INTEGER,
    ended_seq    INTEGER,                -- its place in the session's history; NULL keeps it out
    spent_tokens INTEGER NOT NULL DEFAULT 0, -- spent, or set aside
    spent_micros INTEGER NOT NULL DEFAULT 0, -- money, in millionths
    autonomy     TEXT NOT NULL DEFAULT 'read_only', -- read_only, supervised, full
    episode_id   INTEGER,                -- the summary that it is part of
    to_learn     INTEGER NOT NULL DEFAULT 0, -- whether something may still be learned from it
    -- whether something said in it is forgotten: no lines, no summary, no learning
    forgotten    INTEGER NOT NULL DEFAULT 0,
    worked_ms    INTEGER NOT NULL DEFAULT 0, -- without the times in which it waited for a person
    -- when its lines are to be indexed, from its end until they are, or are given up
    index_due_ms INTEGER,
    index_tries  INTEGER NOT NULL DEFAULT 0, -- how often that failed
    project      TEXT                    -- that it works in, by its name in the configuration
) STRICT;
CREATE INDEX turns_to_index ON turns (index_due_ms) WHERE index_due_ms IS NOT NULL;
CREATE INDEX turns_open ON turns (session_id, id) WHERE state <> 'ended';
CREATE INDEX turns_history ON turns (session_id, ended_seq) WHERE ended_seq IS NOT NULL;
CREATE INDEX turns_by_episode ON turns (episode_id) WHERE episode_id IS NOT NULL;
CREATE INDEX turns_to_learn ON turns (session_id, user_id, id) WHERE to_learn = TRUE;

-- What a turn did, in order. The trace goes on behind a row, so a row's number is never used
-- again, also
-- when the last rows are erased or the file is rewritten.
CREATE TABLE journal (
    row     INTEGER PRIMARY KEY AUTOINCREMENT,
    turn_id INTEGER NOT NULL REFERENCES turns (id),
    seq     INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    body    TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    UNIQUE (turn_id, seq)
) STRICT;

-- The notice about what a person has waiting for a turn of its own, until nothing of it waits.
CREATE TABLE queued_notices (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id),
    UNIQUE (session_id, user_id)
) STRICT;

-- Commands that keep running in the background when their call is over. A row without an end whose
-- process this program does not know was ended together with an earlier run of the program.
CREATE TABLE processes (
    id         INTEGER PRIMARY KEY,
    turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    call_id    TEXT NOT NULL,            -- with the turn: how the model names it
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id),
    command    TEXT NOT NULL,            -- for people, while it runs; empty when it has ended
    started_ms INTEGER NOT NULL,
    until_ms   INTEGER NOT NULL,         -- when it is ended at the latest
    stop_ms    INTEGER,                  -- since when somebody wants it stopped
    ended_ms   INTEGER,
    ended      TEXT,                     -- how it ended, as JSON
    told       INTEGER NOT NULL DEFAULT 0 -- whether a later turn was told of the end
) STRICT;
CREATE INDEX processes_running ON processes (session_id) WHERE ended_ms IS NULL;
CREATE INDEX processes_untold ON processes (session_id, user_id)
    WHERE ended_ms IS NOT NULL AND told = FALSE;
CREATE INDEX processes_by_turn ON processes (turn_id, call_id);

-- ----- Approvals and questions

-- One asking. `state`: open, closed.
CREATE TABLE cards (
    id          INTEGER PRIMARY KEY,
    turn_id     INTEGER NOT NULL REFERENCES turns (id),
    session_id  INTEGER NOT NULL REFERENCES sessions (id),
    user_id     INTEGER NOT NULL REFERENCES users (id), -- who asked for the turn
    chat_id     INTEGER NOT NULL REFERENCES chats (id), -- where it may be pressed
    token       TEXT NOT NULL UNIQUE,    -- stands for all its calls
    expires_ms  INTEGER NOT NULL,
    state       TEXT NOT NULL,
    -- who pressed "Deny and say why": their next words are the reason
    why_by      INTEGER REFERENCES users (id),
    -- its own chat, direct chats of owners, both
    approved_in TEXT NOT NULL DEFAULT 'here' CHECK (approved_in IN ('here', 'elsewhere', 'both')),
    unshown     TEXT,                    -- why it could not be shown anywhere
    claim       TEXT,                    -- what the model said of its calls, on one line
    timeout_ms  INTEGER NOT NULL DEFAULT 0, -- how long an answer is waited for
    one_by_one  INTEGER NOT NULL DEFAULT 0, -- whether each of many calls has buttons
    asked_again INTEGER NOT NULL DEFAULT 0  -- whether its expired request was made anew
) STRICT;
CREATE INDEX cards_open ON cards (expires_ms) WHERE state = 'open';
CREATE INDEX cards_by_turn ON cards (turn_id);
CREATE INDEX cards_open_in ON cards (chat_id) WHERE state = 'open';
CREATE INDEX cards_wanting_words ON cards (why_by) WHERE state = 'open' AND why_by IS NOT NULL;

-- The calls of a card. `verdict`: NULL, approved, denied, expired, dropped.
CREATE TABLE held_calls (
    token       TEXT PRIMARY KEY,
    card_id     INTEGER NOT NULL REFERENCES cards (id),
    turn_id     INTEGER NOT NULL REFERENCES turns (id),
    call_id     TEXT NOT NULL,
    position    INTEGER NOT NULL,
    tool        TEXT NOT NULL,
    summary     TEXT NOT NULL,           -- what was shown
    why         TEXT NOT NULL,
    digest      TEXT NOT NULL,           -- what the approval is bound to
    pattern     TEXT,                    -- what an "always" would cover, as JSON
    verdict     TEXT,
    verdict_by  INTEGER REFERENCES users (id),
    verdict_ms  INTEGER,
    used_ms     INTEGER,                 -- when the call was started on this approval
    kind        TEXT NOT NULL DEFAULT 'exec', -- exec, write, other ...
    prefix      TEXT,                    -- what an "always" for alike calls would cover, as JSON
    verdict_why TEXT,                    -- the words of a denial
    -- the person who asked (and owners), or owners alone
    approver    TEXT NOT NULL DEFAULT 'asker' CHECK (approver IN ('asker', 'owner')),
    owners_why  TEXT,                    -- `why` in every language, as JSON, for owners elsewhere
    footer      TEXT,                    -- what confines it
    grant_id    INTEGER,                 -- what its "always" gave, which may be gone
    granted_alike INTEGER NOT NULL DEFAULT 0, -- whether that covers calls like it
    taken_back  INTEGER NOT NULL DEFAULT 0 -- whether that was taken back on the card
) STRICT;
CREATE INDEX held_calls_by_card ON held_calls (card_id, position);
CREATE INDEX held_calls_by_turn ON held_calls (turn_id, call_id);

-- The copies of a card in the direct chats of owners. The id is what the messages there are about.
CREATE TABLE owner_copies (
    id      INTEGER PRIMARY KEY,
    card_id INTEGER NOT NULL REFERENCES cards (id) ON DELETE CASCADE,
    chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE, -- where it may be pressed too
    UNIQUE (card_id, chat_id)
) STRICT;
CREATE INDEX owner_copies_by_chat ON owner_copies (chat_id);

-- What a person has allowed for good in a session.
CREATE TABLE grants (
    id         INTEGER PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id),
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    pattern    TEXT NOT NULL,            -- as JSON
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
    choices    TEXT NOT NULL,            -- as JSON
    asked      INTEGER NOT NULL,         -- how many in a row, this one included
    expires_ms INTEGER NOT NULL,         -- words that were said until then answer it
    state      TEXT NOT NULL,
    untrusted  INTEGER NOT NULL DEFAULT 0, -- whether words of others are in the request
    -- the questions of `ask_user` and the answers so far, as JSON
    inquiry    TEXT
) STRICT;
CREATE INDEX questions_open ON questions (session_id, user_id) WHERE state = 'open';
-- What goes with a turn.
CREATE INDEX questions_by_turn ON questions (turn_id);

-- ----- Questions with buttons

-- Each is answered once (src/prompts). Approvals have tables of their own: `cards`, `held_calls`.
-- `kind`: src/prompts/kind.rs. `audience`: user, owner, user_or_owner.
-- `state`: open, answered, expired, withdrawn.
CREATE TABLE prompts (
    id          INTEGER PRIMARY KEY,
    kind        TEXT NOT NULL,
    token       TEXT NOT NULL UNIQUE,    -- what its buttons carry
    -- where it may be pressed; NULL: anywhere
    chat_id     INTEGER REFERENCES chats (id),
    session_id  INTEGER REFERENCES sessions (id),
    user_id     INTEGER REFERENCES users (id), -- who may press
    audience    TEXT NOT NULL CHECK (audience IN ('user', 'owner', 'user_or_owner')),
    subject     INTEGER,                 -- the row of its feature that it is about
    payload     TEXT NOT NULL,           -- what its feature keeps, as JSON; '{}' once it is closed
    state       TEXT NOT NULL CHECK (state IN ('open', 'answered', 'expired', 'withdrawn')),
    expires_ms  INTEGER,                 -- NULL: never
    answered_by INTEGER,
    answered_ms INTEGER
) STRICT;
CREATE INDEX prompts_by_subject ON prompts (kind, subject) WHERE subject IS NOT NULL;
CREATE INDEX prompts_by_expiry ON prompts (expires_ms) WHERE state = 'open';
CREATE INDEX prompts_open ON prompts (kind, user_id) WHERE state = 'open';

-- ----- What is sent

-- One row per platform message to send, or per edit of one.
-- `state`: pending, sending, sent, unknown, failed, superseded.
-- `purpose`: final, card, question, notice, live, edit.
CREATE TABLE outbox (
    id         INTEGER PRIMARY KEY,
    channel    TEXT NOT NULL,
    address    TEXT NOT NULL,            -- as JSON
    -- the one of the address
    chat       TEXT GENERATED ALWAYS AS (address ->> 'chat') VIRTUAL,
    turn_id    INTEGER,
    purpose    TEXT NOT NULL,
    subject    INTEGER,                  -- the card or question that the message shows
    edits      INTEGER,                  -- the row whose message is edited; NULL sends a new one
    part       TEXT NOT NULL,            -- as JSON
    state      TEXT NOT NULL,
    resent     INTEGER NOT NULL DEFAULT 0,
    message    TEXT,                     -- the platform's name of it, once sent
    why        TEXT,                     -- why it failed
    created_ms INTEGER NOT NULL,
    sent_ms    INTEGER,
    -- 0 to its place, 1 beside a thread that is gone, 2 in private
    detour     INTEGER NOT NULL DEFAULT 0 CHECK (detour IN (0, 1, 2))
) STRICT;
CREATE INDEX outbox_open ON outbox (channel, id) WHERE state IN ('pending', 'sending', 'unknown');
CREATE INDEX outbox_by_turn ON outbox (turn_id, purpose);
CREATE INDEX outbox_by_subject ON outbox (purpose, subject) WHERE subject IS NOT NULL;
CREATE INDEX outbox_by_message ON outbox (channel, message) WHERE message IS NOT NULL;

-- ----- Workspaces and files

-- Whether the workspace of a person holds text from outside.
CREATE TABLE workspaces (
    user_id          INTEGER PRIMARY KEY REFERENCES users (id),
    -- digest of what the last call left; NULL: not followed any more
    inventory        TEXT,
    -- since then it may hold text from outside; NULL: it never did
    outside_since_ms INTEGER,
    -- found_there, changed_elsewhere, brought_in, reached_out, unreadable
    outside_why      TEXT
) STRICT;

-- What files of a workspace were before calls changed them, for `/undo`.
CREATE TABLE file_changes (
    id      INTEGER PRIMARY KEY,
    turn_id INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    path    TEXT NOT NULL,               -- in the workspace
    was     TEXT,                        -- digest; NULL: it was not there; '': too long to be read
    content BLOB,                        -- NULL: it was not there, or too long to be kept
    mode    INTEGER,                     -- permissions
    becomes TEXT NOT NULL,               -- digest of what the call writes
    own     INTEGER NOT NULL,            -- whether nothing from outside had come into the workspace
    -- the undo that settled it, while that can be redone; NULL: in force
    undone_by INTEGER REFERENCES undos (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX file_changes_of_turn ON file_changes (turn_id, id);
CREATE INDEX file_changes_undone ON file_changes (undone_by) WHERE undone_by IS NOT NULL;

-- Wishes to have the changes of a turn put back.
CREATE TABLE undos (
    id         INTEGER PRIMARY KEY,
    turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who wants it
    address    TEXT NOT NULL,            -- where it was said, as JSON
    reply_to   TEXT,
    state      TEXT NOT NULL,            -- wanted, open (asked), confirmed, over, redo
    redo_by    INTEGER REFERENCES users (id), -- in `redo`: who wants the undo reversed
    notice     TEXT                      -- in `redo`: what the message about the undo says
) STRICT;
CREATE INDEX undos_of_turn ON undos (turn_id);
CREATE INDEX undos_due ON undos (state) WHERE state IN ('wanted', 'confirmed', 'redo');

-- What files were before an undo put them back, for its redo.
CREATE TABLE undone_files (
    undo_id INTEGER NOT NULL REFERENCES undos (id) ON DELETE CASCADE,
    path    TEXT NOT NULL,               -- in the workspace
    was     TEXT,                        -- digest; NULL: it was not there; '': too long to be read
    content BLOB,                        -- NULL: it was not there, or too long to be kept
    mode    INTEGER,                     -- permissions
    own     INTEGER NOT NULL,            -- whether nothing from outside had come into the workspace
    PRIMARY KEY (undo_id, path)
) STRICT;

-- What models saw of files of projects, per conversation: a patch on a file that changed since is
-- refused.
CREATE TABLE seen_files (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    path       TEXT NOT NULL,            -- absolute
    user_id    INTEGER NOT NULL REFERENCES users (id), -- whose turn saw it last
    digest     TEXT NOT NULL,
    seen_ms    INTEGER NOT NULL,
    PRIMARY KEY (session_id, path)
) STRICT;
CREATE INDEX seen_files_by_age ON seen_files (seen_ms);

-- ----- Memory: no query reads a row without its owner

-- `owner_kind`: user, chat. `kind`: fact, episode. A memory outlives the turn that it comes from.
CREATE TABLE memories (
    id             INTEGER PRIMARY KEY,
    owner_kind     TEXT NOT NULL,
    owner_id       INTEGER NOT NULL,
    kind           TEXT NOT NULL,
    text           TEXT NOT NULL,
    turn_id        INTEGER NOT NULL,
    created_ms     INTEGER NOT NULL,
    touched_ms     INTEGER NOT NULL,     -- when it was last said
    -- JSON; NULL: no untrusted text was in view when it was written
    taint          TEXT,
    topic          TEXT,                 -- preference, profile, relation, project, procedure
    -- of a fact: told, learned; no model can say which
    source         TEXT,
    confidence     INTEGER NOT NULL DEFAULT 100, -- percent
    valid_from_ms  INTEGER,              -- NULL: since it was first said
    valid_until_ms INTEGER,              -- as it was said; NULL: it holds on
    -- the memory that says how it is now; it may be gone by now
    superseded_by  INTEGER,
    superseded_ms  INTEGER,              -- from then on it does not hold, whatever was said
    recalled_ms    INTEGER,              -- when it was last recalled
    recalls        INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX memories_current ON memories (owner_kind, owner_id, text)
    WHERE superseded_by IS NULL;
CREATE INDEX memories_superseded ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_by_turn ON memories (turn_id);
-- What a profile is made of, for a turn to read nothing else of all that is remembered.
CREATE INDEX memories_of_profile ON memories (owner_kind, owner_id)
WHERE kind = 'fact' AND topic IN ('profile', 'preference', 'relation');

CREATE TRIGGER memory_vectors_follow_the_text AFTER UPDATE OF text ON memories
WHEN new.text <> old.text
BEGIN
    DELETE FROM memory_vectors WHERE memory_id = old.id;
END;

CREATE TRIGGER memories_are_counted AFTER INSERT ON memories
BEGIN
    INSERT INTO memory_counts VALUES (new.owner_kind, new.owner_id, 1)
    ON CONFLICT (owner_kind, owner_id) DO UPDATE SET entries = entries + 1;
END;

CREATE TRIGGER memories_are_counted_off AFTER DELETE ON memories
BEGIN
    UPDATE memory_counts SET entries = entries - 1
    WHERE owner_kind = old.owner_kind AND owner_id = old.owner_id;
    DELETE FROM memory_counts
    WHERE owner_kind = old.owner_kind AND owner_id = old.owner_id AND entries <= 0;
END;

-- The words of each memory, as memory/bigrams.rs makes them; the text itself is not kept twice.
-- Each word begins with the mark of its owner (store/word_index.rs), so that a search walks through the
-- rows of one owner only. Pieces of the same level are merged when the upkeep of the memory asks for it.
CREATE VIRTUAL TABLE memory_words USING fts5 (
    words,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO memory_words (memory_words, rank) VALUES ('usermerge', 2);

-- How many memories each owner has: what is rare among them is not counted out for each question.
CREATE TABLE memory_counts (
    owner_kind TEXT NOT NULL,
    owner_id   INTEGER NOT NULL,
    entries    INTEGER NOT NULL,
    PRIMARY KEY (owner_kind, owner_id)
) STRICT, WITHOUT ROWID;

-- Vectors can be compared within one of these only.
CREATE TABLE embedders (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    UNIQUE (name, dimension)
) STRICT;

-- What memories mean, in bytes of one scale each.
CREATE TABLE memory_vectors (
    owner_kind  TEXT NOT NULL,
    owner_id    INTEGER NOT NULL,
    embedder_id INTEGER NOT NULL REFERENCES embedders (id),
    memory_id   INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    scale       REAL NOT NULL,
    bytes       BLOB NOT NULL,
    UNIQUE (memory_id, embedder_id)
) STRICT;
CREATE INDEX memory_vectors_of_owner
    ON memory_vectors (owner_kind, owner_id, embedder_id, memory_id);

-- What was said in a session without a long pause.
CREATE TABLE stretches (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    owner_kind TEXT NOT NULL,            -- user, chat
    owner_id   INTEGER NOT NULL,
    lines      INTEGER NOT NULL,         -- how many places are taken
    last_ms    INTEGER NOT NULL,
    merged     INTEGER NOT NULL DEFAULT 0 -- whether its summaries of turns were made fewer
) STRICT;
CREATE INDEX stretches_by_session ON stretches (session_id, last_ms);
CREATE INDEX stretches_by_owner ON stretches (owner_kind, owner_id);
CREATE INDEX stretches_unmerged ON stretches (last_ms) WHERE merged = FALSE;

-- A line has the id of what holds its text: of the row of the inbox, or of the turn whose
-- outcome it is.
CREATE TABLE lines (
    id         INTEGER PRIMARY KEY,
    owner_kind TEXT NOT NULL,            -- user, chat
    owner_id   INTEGER NOT NULL,
    turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    user_id    INTEGER NOT NULL,         -- who said it, or was answered
    stretch_id INTEGER NOT NULL REFERENCES stretches (id),
    place      INTEGER NOT NULL,         -- in the stretch
    at_ms      INTEGER NOT NULL,
    taint      TEXT                      -- as in memories
) STRICT;
CREATE INDEX lines_by_turn ON lines (turn_id);
CREATE INDEX lines_by_place ON lines (stretch_id, place);
CREATE INDEX lines_by_time ON lines (owner_kind, owner_id, at_ms);
CREATE INDEX lines_by_user ON lines (user_id, at_ms) WHERE id <> turn_id;

CREATE TRIGGER lines_take_their_words AFTER DELETE ON lines
BEGIN
    DELETE FROM line_words WHERE rowid = old.id;
END;

-- Their words, as in memory_words. What a user said in a group has a mark of the user besides.
CREATE VIRTUAL TABLE line_words USING fts5 (
    words,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO line_words (line_words, rank) VALUES ('usermerge', 2);

-- What is to be indexed again in the background: rows up to `until_id`, of which those up to `done_id`
-- are done. `name`: memories, lines.
CREATE TABLE reindexing (
    name     TEXT PRIMARY KEY,
    spelling INTEGER NOT NULL,           -- how words are made, as memory/upkeep.rs counts
    done_id  INTEGER NOT NULL,
    until_id INTEGER NOT NULL
) STRICT;

-- One row for a user of a session of whom something may be learned, until that was done.
CREATE TABLE lessons (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id),
    due_ms     INTEGER NOT NULL,         -- not before
    tries      INTEGER NOT NULL,         -- how often a model was asked about it
    PRIMARY KEY (session_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lessons_due ON lessons (due_ms);

-- What hashes the words of an owner's tombstones.
CREATE TABLE tombstone_keys (
    owner_kind TEXT NOT NULL,
    owner_id   INTEGER NOT NULL,
    key        BLOB NOT NULL,
    PRIMARY KEY (owner_kind, owner_id)
) STRICT, WITHOUT ROWID;

-- What was forgotten and may not be learned again; its words are kept as hashes only.
CREATE TABLE tombstones (
    id         INTEGER PRIMARY KEY,
    owner_kind TEXT NOT NULL,
    owner_id   INTEGER NOT NULL,
    user_id    INTEGER,                  -- whose words they were, where that was known
    words      INTEGER NOT NULL,         -- how many
    telling    INTEGER NOT NULL,         -- whether they say enough to be found among more words
    buried_ms  INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstones_of_owner ON tombstones (owner_kind, owner_id);

CREATE TABLE tombstone_words (
    word         INTEGER NOT NULL,
    tombstone_id INTEGER NOT NULL REFERENCES tombstones (id) ON DELETE CASCADE,
    PRIMARY KEY (word, tombstone_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_words_of_one ON tombstone_words (tombstone_id);

-- A person who asked to be erased. `state`: open (asked once more), refused, expired, wanted (waits
-- until none of their turns goes on), cleared (gone from the tables, not from the files yet), done.
CREATE TABLE erasures (
    id         INTEGER PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who asked
    chat_id    INTEGER NOT NULL REFERENCES chats (id), -- where
    address    TEXT NOT NULL,            -- where the outcome is said, as JSON
    state      TEXT NOT NULL,
    users      TEXT NOT NULL,            -- every account of the person, as a JSON array
    wanted_ms  INTEGER,                  -- since when
    traces     TEXT                      -- what the trace still has to lose, as JSON; NULL: nothing
) STRICT;
CREATE INDEX erasures_unfinished ON erasures (state) WHERE state IN ('open', 'wanted', 'cleared');

-- ----- Conversations that are summed up

-- What stands for the older turns of a session in later prompts. It is made from them, so what is
-- deleted here can be made again.
CREATE TABLE compactions (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    until_seq  INTEGER NOT NULL,         -- it stands for the turns that ended up to this place
    text       TEXT,                     -- NULL: no model summed them up, and they are left out
    taint      TEXT NOT NULL,            -- JSON
    -- those that it was made from, also by way of one before, as JSON
    turns      TEXT NOT NULL
) STRICT;
CREATE INDEX compactions_of_session ON compactions (session_id, id);

-- One row for a session whose older turns are to be summed up, until that was done.
CREATE TABLE compacting (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who pays
    address    TEXT NOT NULL,            -- where it is said, as JSON
    asked      INTEGER NOT NULL,         -- whether somebody asked for it and waits for a receipt
    due_ms     INTEGER NOT NULL,         -- not before
    tries      INTEGER NOT NULL,         -- how often a model was asked
    -- another one when what a model is being asked about has changed
    version    INTEGER NOT NULL DEFAULT 0,
    unanswered INTEGER NOT NULL DEFAULT 0 -- how often a model was asked since one last answered
) STRICT;
CREATE INDEX compacting_due ON compacting (due_ms);

-- ----- Skills and settings

-- Skills that a person, or a group, has switched off for itself: what is not here is on.
CREATE TABLE skills_off (
    owner_kind TEXT NOT NULL,            -- whose choice it is, as in `memories`
    owner_id   INTEGER NOT NULL,
    name       TEXT NOT NULL,
    off_ms     INTEGER NOT NULL,
    PRIMARY KEY (owner_kind, owner_id, name)
) STRICT, WITHOUT ROWID;

-- A skill as it was approved. It is loaded only while its files have this hash.
CREATE TABLE skill_pins (
    -- whose workspace it is in, as in `memories`; `all`: it is installed
    owner_kind TEXT NOT NULL,
    owner_id   INTEGER NOT NULL,         -- 0 for `all`
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL,            -- of all its files
    kept       TEXT NOT NULL,            -- its files, as JSON, to show later what changed
    pinned_ms  INTEGER NOT NULL,
    PRIMARY KEY (owner_kind, owner_id, name)
) STRICT;

-- The `AGENTS.md` of a project as an owner accepted it. It is followed only while it has this hash.
CREATE TABLE accepted_instructions (
    project     TEXT NOT NULL,           -- by its name in the configuration
    path        TEXT NOT NULL,           -- of the file, from the root of the project
    hash        TEXT NOT NULL,           -- of the text that was shown
    accepted_ms INTEGER NOT NULL,
    PRIMARY KEY (project, path)
) STRICT;

-- `wish`: install (copy into place), pin (load what is there), remove.
-- `state`: wanted (is looked at), open (an owner is asked), denied, expired, approved (is put in
-- place),
-- placed (is loaded next), done, failed.
CREATE TABLE skill_reviews (
    id         INTEGER PRIMARY KEY,
    wish       TEXT NOT NULL,
    source     TEXT NOT NULL,            -- as it was written: where it is taken from, or its name
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who asked
    chat_id    INTEGER NOT NULL REFERENCES chats (id), -- where
    address    TEXT NOT NULL,            -- where it is asked, as JSON
    place_kind TEXT NOT NULL,            -- whose workspace it was asked in
    place_id   INTEGER NOT NULL,
    owner_kind TEXT NOT NULL,            -- as in `skill_pins`, once it is known
    owner_id   INTEGER NOT NULL,
    name       TEXT NOT NULL,            -- empty until it is known
    hash       TEXT NOT NULL,
    kept       TEXT NOT NULL,
    state      TEXT NOT NULL
) STRICT;
CREATE INDEX skill_reviews_unfinished ON skill_reviews (state)
    WHERE state IN ('wanted', 'open', 'approved', 'placed');

-- What owners changed of the configuration in chat. The newest row of a key that was not undone
-- is laid
-- over what the operator wrote; the file stays as it is.
CREATE TABLE changed_settings (
    id        INTEGER PRIMARY KEY,
    key       TEXT NOT NULL,             -- the dotted key
    value     TEXT NOT NULL,             -- as an environment variable would give it
    user_id   INTEGER REFERENCES users (id), -- who changed it; NULL: somebody who was erased
    at_ms     INTEGER NOT NULL,
    undone_by INTEGER REFERENCES users (id),
    undone_ms INTEGER
) STRICT;
CREATE INDEX changed_settings_in_force ON changed_settings (key, id) WHERE undone_ms IS NULL;

-- What a person wants done again and again, or once later (src/routines).
CREATE TABLE routines (
    id         INTEGER PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id), -- whose it is, and for whom its turns act
    role       TEXT NOT NULL,            -- what its user might do when it was made
    chat_id    INTEGER NOT NULL REFERENCES chats (id), -- where it was made
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    address    TEXT NOT NULL,            -- where it reports, as JSON
    kind       TEXT NOT NULL CHECK (kind IN ('remind', 'turn')),
    name       TEXT NOT NULL DEFAULT '', -- what people call it; '': by its words
    schedule   TEXT NOT NULL,            -- five fields of cron, `every N minutes`, or `at DAY TIME`
    zone       TEXT NOT NULL,            -- by whose clock, as IANA names zones
    -- 1: the zone is that of its person and changes with it
    follows    INTEGER NOT NULL DEFAULT 1,
    anchor_ms  INTEGER NOT NULL,         -- from where intervals are counted
    prompt     TEXT NOT NULL,            -- what is to be done, or said
    taint      TEXT,                     -- the untrusted text that was in view when it was written
    notify     TEXT NOT NULL DEFAULT 'always' CHECK (notify IN ('always', 'news')),
    late       TEXT NOT NULL DEFAULT '', -- half, skip, a time such as `6h`; '': the configuration's
    enabled    INTEGER NOT NULL DEFAULT 1,
    off_why    TEXT,                     -- why the engine switched it off: failures, undelivered, person
    failures   INTEGER NOT NULL DEFAULT 0, -- occurrences that failed, in a row
    created_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    due_ms     INTEGER,                  -- its next occurrence; NULL: none
    next_ms    INTEGER,                  -- when that is started: then, or spread over a minute
    last_ms    INTEGER,                  -- when it last ran
    -- what starts it besides the clock, as JSON: file, words, webhook; NULL: the clock alone does.
    -- Then it has no schedule and no due_ms, and next_ms is when its events start a run
    source     TEXT,
    -- of files: up to when changes were looked for, in milliseconds by the machine's clock
    looked_ms  INTEGER
) STRICT;
CREATE INDEX routines_by_user ON routines (user_id, id);
CREATE INDEX routines_by_session ON routines (session_id) WHERE kind = 'turn';
CREATE INDEX routines_due ON routines (next_ms) WHERE enabled AND next_ms IS NOT NULL;
-- Those that wait for events, by the chat in which they were made.
CREATE INDEX routines_of_events ON routines (chat_id) WHERE source IS NOT NULL;

-- What became of each occurrence. `state`: queued, running, parked, done, quiet, failed, missed,
-- overlapped, over_budget, undelivered.
CREATE TABLE routine_runs (
    id         INTEGER PRIMARY KEY,
    routine_id INTEGER NOT NULL REFERENCES routines (id) ON DELETE CASCADE,
    occurrence TEXT NOT NULL,            -- its due time, or what else began it
    due_ms     INTEGER NOT NULL,
    state      TEXT NOT NULL,
    attempt    INTEGER NOT NULL DEFAULT 1,
    occurrences INTEGER NOT NULL DEFAULT 1, -- how many it stands for, those from due_ms to until_ms
    until_ms   INTEGER,
    turn_id    INTEGER,
    why        TEXT,                     -- in words, for its person
    reported   INTEGER NOT NULL DEFAULT 0, -- whether the tool `report` said something
    created_ms INTEGER NOT NULL,
    ended_ms   INTEGER,
    told       INTEGER NOT NULL DEFAULT 0, -- whether a later turn of its chat was informed
    UNIQUE (routine_id, occurrence)
) STRICT;
CREATE INDEX routine_runs_open ON routine_runs (routine_id)
    WHERE state IN ('queued', 'running', 'parked');
-- Of which the next turn of their chat is to know.
CREATE INDEX routine_runs_reported ON routine_runs (routine_id) WHERE told = FALSE AND state = 'done';
CREATE INDEX routine_runs_by_turn ON routine_runs (turn_id) WHERE turn_id IS NOT NULL;
-- What its person is still to be informed of.
CREATE INDEX routine_runs_untold ON routine_runs (routine_id)
    WHERE told = FALSE AND state IN ('missed', 'failed', 'over_budget', 'undelivered');
CREATE INDEX routine_runs_ended ON routine_runs (ended_ms) WHERE ended_ms IS NOT NULL;

-- What has happened that starts a routine: once by its key. It waits until a run takes it.
CREATE TABLE routine_events (
    id         INTEGER PRIMARY KEY,
    routine_id INTEGER NOT NULL REFERENCES routines (id) ON DELETE CASCADE,
    key        TEXT NOT NULL,            -- a delivery of a webhook, a message, a form of a file
    at_ms      INTEGER NOT NULL,
    text       TEXT NOT NULL,            -- what its run reads of it; it is from outside
    run_id     INTEGER,                  -- the run that took it; NULL: it waits
    UNIQUE (routine_id, key)
) STRICT;
CREATE INDEX routine_events_waiting ON routine_events (routine_id, id) WHERE run_id IS NULL;
CREATE INDEX routine_events_of_run ON routine_events (run_id) WHERE run_id IS NOT NULL;

-- What a routine has reported, by the keys of the items.
CREATE TABLE routine_told (
    routine_id INTEGER NOT NULL REFERENCES routines (id) ON DELETE CASCADE,
    key        TEXT NOT NULL,
    told_ms    INTEGER NOT NULL,
    PRIMARY KEY (routine_id, key)
) STRICT, WITHOUT ROWID;

-- ----- The audit

-- What was decided, run and allowed: one row each, chained by hashes (src/audit/chain.rs). Each
-- worker appends to a chain of its own; with one there is chain 0.
-- Ids refer to rows that may go; nothing here goes with them.
CREATE TABLE audit (
    chain      INTEGER NOT NULL DEFAULT 0,
    seq        INTEGER NOT NULL,         -- 1, 2, 3 and so on in its chain, without a gap
    at_ms      INTEGER NOT NULL,
    event      TEXT NOT NULL,
    turn_id    INTEGER,
    session_id INTEGER,
    chat_id    INTEGER,
    user_id    INTEGER,                  -- whom it concerns: whose turn, whose account
    call_id    TEXT,
    tool       TEXT,
    decision   TEXT,
    decided_by TEXT,                     -- policy, time, user N
    outcome    TEXT,
    digest     TEXT,                     -- of salt and payload, also when they were erased
    hash       TEXT NOT NULL,            -- of the row before and of this one
    PRIMARY KEY (chain, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_by_turn ON audit (turn_id) WHERE turn_id IS NOT NULL;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'rows of the audit are never changed'); END;

CREATE TRIGGER audit_is_never_cut BEFORE DELETE ON audit
BEGIN SELECT raise(ABORT, 'rows of the audit are never deleted'); END;

-- What a row is about in a person's own words. These rows can be erased, and the chain still holds.
CREATE TABLE audit_payloads (
    chain   INTEGER NOT NULL DEFAULT 0,
    seq     INTEGER NOT NULL,
    user_id INTEGER,
    salt    BLOB NOT NULL,
    payload TEXT NOT NULL,               -- as JSON, redacted
    PRIMARY KEY (chain, seq),
    FOREIGN KEY (chain, seq) REFERENCES audit (chain, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_payloads_by_user ON audit_payloads (user_id);

-- ----- What model calls cost, and what owners allow beyond the limits of a day

-- One row for what a user spent in a session on a day. A session makes one model call at a time, so
-- what is set aside for it stands beside: it counts as spent, also when the call is never settled.
CREATE TABLE usage (
    user_id           INTEGER NOT NULL REFERENCES users (id),
    day               TEXT NOT NULL,     -- in the zone of the instance: 2026-11-22
    session_id        INTEGER NOT NULL REFERENCES sessions (id),
    routine           TEXT NOT NULL,     -- its name; empty where a person asked
    calls             INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,  -- cached ones included
    cached_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    estimated_tokens  INTEGER NOT NULL,  -- of all, those that no provider counted
    unpriced_tokens   INTEGER NOT NULL,  -- of all, those of models without a price
    micros            INTEGER NOT NULL,  -- money, in millionths
    open_tokens       INTEGER NOT NULL,  -- set aside
    open_micros       INTEGER NOT NULL,
    PRIMARY KEY (user_id, day, session_id, routine)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_by_day ON usage (day);
CREATE INDEX usage_by_routine ON usage (routine, day) WHERE routine <> '';

CREATE TRIGGER usage_adds AFTER INSERT ON usage BEGIN
    INSERT INTO usage_totals
    VALUES (new.day, 0, new.calls, new.prompt_tokens + new.completion_tokens + new.open_tokens,
            new.unpriced_tokens, new.micros + new.open_micros)
    ON CONFLICT (day, slot) DO UPDATE SET
        calls = calls + excluded.calls,
        tokens = tokens + excluded.tokens,
        unpriced_tokens = unpriced_tokens + excluded.unpriced_tokens,
        micros = micros + excluded.micros;
END;

CREATE TRIGGER usage_changes AFTER UPDATE ON usage WHEN new.day = old.day BEGIN
    UPDATE usage_totals SET
        calls = calls + new.calls - old.calls,
        tokens = tokens + new.prompt_tokens + new.completion_tokens + new.open_tokens
                        - old.prompt_tokens - old.completion_tokens - old.open_tokens,
        unpriced_tokens = unpriced_tokens + new.unpriced_tokens - old.unpriced_tokens,
        micros = micros + new.micros + new.open_micros - old.micros - old.open_micros
    WHERE day = new.day AND slot = 0;
END;

-- What seldom happens is counted anew; a day on which nothing was spent has no row.
CREATE TRIGGER usage_moves AFTER UPDATE ON usage WHEN new.day <> old.day BEGIN
    DELETE FROM usage_totals WHERE day IN (old.day, new.day);
    INSERT INTO usage_totals
    SELECT day, 0, sum(calls), sum(prompt_tokens + completion_tokens + open_tokens),
           sum(unpriced_tokens), sum(micros + open_micros)
    FROM usage WHERE day IN (old.day, new.day) GROUP BY day;
END;

CREATE TRIGGER usage_subtracts AFTER DELETE ON usage BEGIN
    DELETE FROM usage_totals WHERE day = old.day;
    INSERT INTO usage_totals
    SELECT day, 0, sum(calls), sum(prompt_tokens + completion_tokens + open_tokens),
           sum(unpriced_tokens), sum(micros + open_micros)
    FROM usage WHERE day = old.day GROUP BY day;
END;

-- What everybody together spent on a day: a limit of everybody's is asked for at each model
-- call, and must not cost more the more people there are. The triggers keep it, for every write to
-- `usage`. Each worker adds to a row of its own, by its slot, and what is read is their sum.
CREATE TABLE usage_totals (
    day             TEXT NOT NULL,       -- as in usage
    slot            INTEGER NOT NULL,    -- with one worker 0
    calls           INTEGER NOT NULL,
    tokens          INTEGER NOT NULL,    -- of prompts and answers, and set aside
    unpriced_tokens INTEGER NOT NULL,
    micros          INTEGER NOT NULL,    -- what is set aside included
    PRIMARY KEY (day, slot)
) STRICT, WITHOUT ROWID;

-- What was said and allowed about a limit on a day. `scope`: user, routine, instance, month.
CREATE TABLE budget_days (
    user_id    INTEGER NOT NULL,         -- 0: no single user
    day        TEXT NOT NULL,
    scope      TEXT NOT NULL,
    routine    TEXT NOT NULL,
    percent    INTEGER NOT NULL,         -- of the configured limit
    told_ms    INTEGER,                  -- when somebody was told that little is left
    refused_ms INTEGER,                  -- when an owner refused to raise it
    PRIMARY KEY (user_id, day, scope, routine)
) STRICT, WITHOUT ROWID;
