-- Rows as version 0022 leaves them.
UPDATE questions SET inquiry = '{"text":"","questions":[{"question":"What?","choices":["a","b"]}],"answers":[]}' WHERE id = 70;
