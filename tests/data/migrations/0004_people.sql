-- Rows as version 0004 leaves them.
INSERT INTO users (id, created_ms, person) VALUES (3, 3000, 110), (4, 3000, 110);
INSERT INTO link_codes VALUES (1, 'HGFEDCBA', 'Ann', '{"channel":"telegram","chat":"101"}', 9000);
INSERT INTO link_tries VALUES (2, 3, 1000);
INSERT INTO link_requests VALUES (120, 'join', 9000, 'open');
INSERT INTO link_sides VALUES (130, 120, 'first-side', 1, 10, 'Ann', 1000);
INSERT INTO link_sides VALUES (131, 120, 'second-side', 2, 10, 'Bob', NULL);
