-- Questions of the model (`ask_user`) are asked one after another in the row of one question:
-- all of them and the answers so far, as JSON. NULL of a clarification.
ALTER TABLE questions ADD COLUMN inquiry TEXT;
