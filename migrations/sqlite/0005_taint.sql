-- Where untrusted text came from, kept with what outlives its turn.

-- JSON; NULL: no untrusted text was in view when it was written.
ALTER TABLE memories ADD COLUMN taint TEXT;

-- Whether words of others are in the request that the question is about.
ALTER TABLE questions ADD COLUMN untrusted INTEGER NOT NULL DEFAULT 0;
