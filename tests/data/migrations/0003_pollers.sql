-- Rows as version 0003 leaves them.
INSERT INTO pollers VALUES ('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', 'process-7-8 telegram', 9000);
