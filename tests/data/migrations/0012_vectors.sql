-- Rows as version 0012 leaves them.
INSERT INTO embedders VALUES (1, 'small', 2);
INSERT INTO memory_vectors VALUES ('user', 1, 1, 100, 0.5, x'017f');
