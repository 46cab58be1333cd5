-- For how long a turn has worked, without the times in which it waited for a person.
ALTER TABLE turns ADD COLUMN worked_ms INTEGER NOT NULL DEFAULT 0;
