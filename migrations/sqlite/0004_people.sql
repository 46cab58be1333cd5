-- One person with several accounts: each account keeps its user, and the users of a person share a number.

-- NULL: nobody else's. Numbers are never used again.
ALTER TABLE users ADD COLUMN person INTEGER;
CREATE INDEX users_by_person ON users (person) WHERE person IS NOT NULL;
CREATE INDEX senders_by_sender ON senders (sender);

-- What /link gave to an account, to be sent from another one.
CREATE TABLE link_codes (
    user_id    INTEGER PRIMARY KEY REFERENCES users (id),
    code       TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,           -- how people see the account
    address    TEXT NOT NULL,           -- its direct chat, as JSON
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
    expires_ms INTEGER NOT NULL,
    state      TEXT NOT NULL
) STRICT;

-- One card about a request, for one account.
CREATE TABLE link_sides (
    id           INTEGER PRIMARY KEY,
    request_id   INTEGER NOT NULL REFERENCES link_requests (id),
    token        TEXT NOT NULL UNIQUE,
    user_id      INTEGER NOT NULL REFERENCES users (id), -- who must confirm
    chat_id      INTEGER NOT NULL REFERENCES chats (id), -- where
    name         TEXT NOT NULL,         -- how people see the account
    confirmed_ms INTEGER
) STRICT;
CREATE INDEX link_sides_by_request ON link_sides (request_id, id);
CREATE INDEX link_sides_by_user ON link_sides (user_id);
