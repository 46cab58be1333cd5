-- Rows as version 0041 leaves them.
INSERT INTO processes (id, turn_id, call_id, session_id, user_id, command, started_ms, until_ms)
SELECT 410, id, 'call_0', session_id, user_id, 'sleep 4242', 9000, 10000 FROM turns LIMIT 1;
