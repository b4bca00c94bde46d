-- What it takes to settle answers that left before they were paid for. Each row goes when its payment has ended.
CREATE TABLE deferred_settlement (
    payment_id UUID                     NOT NULL PRIMARY KEY,
    attempt    INTEGER                  NOT NULL,
    settlement VARCHAR(40000)           NOT NULL, -- what the payer signed, and the terms that it is settled by
    ask_at     TIMESTAMP WITH TIME ZONE NOT NULL  -- from when on any node may settle it
);

CREATE INDEX deferred_settlement_ask_at ON deferred_settlement (ask_at);

-- What a payer had and did not pay for, as the journal's losses say: such a payer has no credit.
ALTER TABLE book_account ADD COLUMN lost BIGINT DEFAULT 0 NOT NULL;
