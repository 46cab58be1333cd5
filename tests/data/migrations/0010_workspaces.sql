-- Rows as version 0010 leaves them.
INSERT INTO workspaces VALUES (1, 'a digest', NULL, NULL);
INSERT INTO workspaces VALUES (2, NULL, 1000, 'brought_in');
