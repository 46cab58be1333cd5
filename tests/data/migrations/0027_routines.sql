-- Rows as version 0027 leaves them.
INSERT INTO routines (id, user_id, chat_id, session_id, schedule, prompt, created_ms, changed_ms, next_ms)
SELECT 160, 1, chat_id, id, '0 9 * * 1-5', 'look at the mail', 9000, 9000, 10000 FROM sessions LIMIT 1;
