-- What is shown behind `/forget` with words: memories that one person may have forgotten by a press.

-- `state`: open, done, refused, expired.
CREATE TABLE forgettings (
    id         INTEGER PRIMARY KEY,
    token      TEXT NOT NULL UNIQUE,
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who asked, and may press
    chat_id    INTEGER NOT NULL REFERENCES chats (id), -- where it may be pressed
    owner_kind TEXT NOT NULL,           -- whose memories they are, as in `memories`
    owner_id   INTEGER NOT NULL,
    memories   TEXT NOT NULL,           -- in the order in which they are shown, as a JSON array
    expires_ms INTEGER NOT NULL,
    state      TEXT NOT NULL
) STRICT;
CREATE INDEX forgettings_open ON forgettings (expires_ms) WHERE state = 'open';
