-- Where a message goes: 0 to its place, 1 beside a thread that is gone or closed, 2 to whom it answers, in private.
ALTER TABLE outbox ADD COLUMN detour INTEGER NOT NULL DEFAULT 0 CHECK (detour IN (0, 1, 2));

-- Why a card could be shown to nobody.
ALTER TABLE cards ADD COLUMN unshown TEXT;

-- What a thread is called, where the platform says it.
ALTER TABLE sessions ADD COLUMN title TEXT;

-- Whether a chat was told that somebody cannot be seen who hides behind it.
ALTER TABLE chats ADD COLUMN told_unseen INTEGER NOT NULL DEFAULT 0;

-- Who goes by which name in a group. `mark` tells people of one name apart; the first has none, which is 1.
CREATE TABLE chat_names (
    channel TEXT NOT NULL,
    chat    TEXT NOT NULL,
    sender  TEXT NOT NULL,
    name    TEXT NOT NULL,
    mark    INTEGER NOT NULL,
    PRIMARY KEY (channel, chat, sender)
) STRICT;
CREATE INDEX chat_names_by_name ON chat_names (channel, chat, name);
