-- Who may approve a call: the person who asked (and owners), or owners alone.
ALTER TABLE held_calls ADD COLUMN approver TEXT NOT NULL DEFAULT 'asker'
    CHECK (approver IN ('asker', 'owner'));
ALTER TABLE held_calls ADD COLUMN owners_why TEXT; -- `why` in every language, as JSON, for owners elsewhere

-- Where a card is approved: in its own chat; elsewhere, by an owner who is asked in a direct chat; in both.
ALTER TABLE cards ADD COLUMN approved_in TEXT NOT NULL DEFAULT 'here'
    CHECK (approved_in IN ('here', 'elsewhere', 'both'));

-- The copies of a card in the direct chats of owners. The id is what the messages there are about.
CREATE TABLE owner_copies (
    id      INTEGER PRIMARY KEY,
    card_id INTEGER NOT NULL REFERENCES cards (id) ON DELETE CASCADE,
    chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE, -- where it may be pressed too
    UNIQUE (card_id, chat_id)
) STRICT;
CREATE INDEX owner_copies_by_chat ON owner_copies (chat_id);
