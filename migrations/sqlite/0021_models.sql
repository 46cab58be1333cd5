-- Which model is asked first in a session: `server/model`; empty follows the configuration.
ALTER TABLE sessions ADD COLUMN model TEXT;
