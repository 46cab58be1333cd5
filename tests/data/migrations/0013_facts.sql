-- Rows as version 0013 leaves them.
INSERT INTO memories (id, owner_kind, owner_id, kind, text, turn_id, created_ms, touched_ms, topic, source, confidence, valid_from_ms, superseded_by, superseded_ms, recalls)
VALUES (1010, 'user', 1, 'fact', 'lives in Oslo', 40, 1100, 1100, 'profile', 'learned', 70, 1100, 100, 1200, 2);
INSERT INTO tombstone_keys VALUES ('user', 1, x'00');
INSERT INTO tombstones VALUES (130, 'user', 1, 1, 1, 0, 1300);
INSERT INTO tombstone_words VALUES (-7, 130);
