-- A denial may have words, and an "always" may cover a safe prefix.

-- Who pressed "Deny and say why": until the card expires, their next words are the reason.
ALTER TABLE cards ADD COLUMN why_by INTEGER REFERENCES users (id);
CREATE INDEX cards_wanting_words ON cards (why_by) WHERE state = 'open' AND why_by IS NOT NULL;

ALTER TABLE held_calls ADD COLUMN kind TEXT NOT NULL DEFAULT 'exec'; -- exec, write, other
ALTER TABLE held_calls ADD COLUMN prefix TEXT;      -- what an "always" for alike calls would cover, as JSON
ALTER TABLE held_calls ADD COLUMN verdict_why TEXT; -- the words of a denial
