-- What the lines of closed months summed up to: credits less debits, a row an account. A balance is this and the lines
-- that are still there.
CREATE TABLE journal_opening (
    account BIGINT NOT NULL PRIMARY KEY,
    amount  BIGINT NOT NULL
);

-- One row, whose lock lets one node at a time carry lines over. Lines of before are carried over or about to be.
CREATE TABLE journal_closing (
    id            SMALLINT                 NOT NULL PRIMARY KEY CHECK (id = 1),
    closed_before TIMESTAMP WITH TIME ZONE NOT NULL
);

INSERT INTO journal_closing (id, closed_before) VALUES (1, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00');

-- Drops the partitions of months that lie before and whose lines were all carried over. The share lock keeps lines out
-- while it looks, and lets readers pass; whoever stands in the way of dropping is left alone until the next time.
CREATE FUNCTION journal_drop_months(closed TIMESTAMP WITH TIME ZONE) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    month REGCLASS;
    used  BOOLEAN;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('octroi.journal_months'));
    PERFORM set_config('lock_timeout', '200ms', TRUE);
    FOR month IN
        SELECT c.oid::REGCLASS FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'journal'::REGCLASS AND c.relname ~ '^journal_\d{4}_\d{2}$'
          AND (to_date(right(c.relname, 7), 'YYYY_MM') + INTERVAL '1 month') AT TIME ZONE 'UTC' <= closed
    LOOP
        BEGIN
            EXECUTE format('LOCK TABLE %s IN SHARE MODE', month);
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', month) INTO used;
            IF NOT used THEN
                EXECUTE format('DROP TABLE %s', month);
            END IF;
        EXCEPTION WHEN lock_not_available THEN
            NULL;
        END;
    END LOOP;
END
$$;
