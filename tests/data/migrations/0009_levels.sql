-- Rows as version 0009 leaves them.
INSERT INTO turns (id, session_id, user_id, address, request, autonomy, state, started_ms)
VALUES (41, 20, 1, '{"channel":"telegram","chat":"101"}', 'and now', 'read_only', 'parked', 9000);
