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
