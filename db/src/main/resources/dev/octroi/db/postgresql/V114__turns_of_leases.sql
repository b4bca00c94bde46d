-- One row, whose lock lets one purchase at a time become a lease: a number is one lease's, on however many nodes.
CREATE TABLE lease_turn (
    id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1)
);

INSERT INTO lease_turn (id) VALUES (1);

-- Effects are deleted, and those that were not done are refunded, by when they were closed.
CREATE INDEX effect_closed ON effect (closed_at);

-- A month that has lines in the default partition already is left there: it cannot be made any more, and must keep no
-- later one from being made.
CREATE OR REPLACE FUNCTION journal_months(from_month DATE) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    first  DATE;
    begins TIMESTAMP WITH TIME ZONE;
    ends   TIMESTAMP WITH TIME ZONE;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('octroi.journal_months'));
    FOR i IN 0..2 LOOP
        first := (date_trunc('month', from_month) + make_interval(months => i))::DATE;
        begins := (first || ' 00:00:00+00')::TIMESTAMP WITH TIME ZONE;
        ends := ((first + INTERVAL '1 month')::DATE || ' 00:00:00+00')::TIMESTAMP WITH TIME ZONE;
        IF to_regclass('journal_' || to_char(first, 'YYYY_MM')) IS NULL
            AND NOT EXISTS (SELECT 1 FROM journal_other WHERE at >= begins AND at < ends) THEN
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF journal FOR VALUES FROM (%L) TO (%L)',
                'journal_' || to_char(first, 'YYYY_MM'),
                begins,
                ends);
        END IF;
    END LOOP;
END
$$;
