-- What everybody together spent on a day: a limit of everybody's is asked for at each model call, and must
-- not cost more the more people there are. The triggers keep it, whoever writes to `usage`.
CREATE TABLE usage_totals (
    day             TEXT PRIMARY KEY,  -- as in usage
    calls           INTEGER NOT NULL,
    tokens          INTEGER NOT NULL,  -- of prompts and answers, and set aside
    unpriced_tokens INTEGER NOT NULL,
    micros          INTEGER NOT NULL   -- what is set aside included
) STRICT, WITHOUT ROWID;

INSERT INTO usage_totals
SELECT day, sum(calls), sum(prompt_tokens + completion_tokens + open_tokens), sum(unpriced_tokens),
       sum(micros + open_micros)
FROM usage GROUP BY day;

CREATE TRIGGER usage_adds AFTER INSERT ON usage BEGIN
    INSERT INTO usage_totals
    VALUES (new.day, new.calls, new.prompt_tokens + new.completion_tokens + new.open_tokens,
            new.unpriced_tokens, new.micros + new.open_micros)
    ON CONFLICT DO UPDATE SET
        calls = calls + excluded.calls,
        tokens = tokens + excluded.tokens,
        unpriced_tokens = unpriced_tokens + excluded.unpriced_tokens,
        micros = micros + excluded.micros;
END;

CREATE TRIGGER usage_changes AFTER UPDATE ON usage WHEN new.day = old.day BEGIN
    UPDATE usage_totals SET
        calls = calls + new.calls - old.calls,
        tokens = tokens + new.prompt_tokens + new.completion_tokens + new.open_tokens
                        - old.prompt_tokens - old.completion_tokens - old.open_tokens,
        unpriced_tokens = unpriced_tokens + new.unpriced_tokens - old.unpriced_tokens,
        micros = micros + new.micros + new.open_micros - old.micros - old.open_micros
    WHERE day = new.day;
END;

-- What seldom happens is counted anew; a day on which nothing was spent has no row.
CREATE TRIGGER usage_moves AFTER UPDATE ON usage WHEN new.day <> old.day BEGIN
    DELETE FROM usage_totals WHERE day IN (old.day, new.day);
    INSERT INTO usage_totals
    SELECT day, sum(calls), sum(prompt_tokens + completion_tokens + open_tokens), sum(unpriced_tokens),
           sum(micros + open_micros)
    FROM usage WHERE day IN (old.day, new.day) GROUP BY day;
END;

CREATE TRIGGER usage_subtracts AFTER DELETE ON usage BEGIN
    DELETE FROM usage_totals WHERE day = old.day;
    INSERT INTO usage_totals
    SELECT day, sum(calls), sum(prompt_tokens + completion_tokens + open_tokens), sum(unpriced_tokens),
           sum(micros + open_micros)
    FROM usage WHERE day = old.day GROUP BY day;
END;
