-- Rows as version 0026 leaves them.
INSERT INTO changed_settings (id, key, value, user_id, at_ms) VALUES (150, 'agent.routing', 'auto', 1, 9000);
