-- A grant carries the files that its command names, and lapses when they change. Earlier ones did not,
-- and were given for programs of which none is offered any more: they are asked about once more.
DELETE FROM grants;
UPDATE held_calls SET pattern = NULL, prefix = NULL;
