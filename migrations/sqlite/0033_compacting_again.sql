-- What is being summed up may be forgotten meanwhile, and a model that does not answer is asked later.
ALTER TABLE compacting ADD COLUMN version INTEGER NOT NULL DEFAULT 0;    -- another one when what a model is being asked about does not hold any more
ALTER TABLE compacting ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0; -- how often a model was asked since one last answered
-- A model that did not answer counted as a try.
UPDATE compacting SET tries = 0;
-- Which summary a turn is shown says the order of their ids.
ALTER TABLE compactions DROP COLUMN at_seq;
