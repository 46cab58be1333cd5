-- What is not kept for ever is found without reading everything.

-- The newest message of a session stays: from there a platform reads back.
CREATE INDEX inbox_messages ON inbox (session_id, id) WHERE kind = 'message' AND message IS NOT NULL;

-- What goes with a turn.
CREATE INDEX questions_by_turn ON questions (turn_id);
