-- Channels that calls are paid out of (scheme batch-settlement). A channel's account in the books is owned by its id. A row
-- changes under the lock of that account alone.
CREATE TABLE channel (
    network    VARCHAR(64)              NOT NULL,
    id         BYTEA                    NOT NULL,
    asset      VARCHAR(128)             NOT NULL,
    payer      BYTEA                    NOT NULL, -- whose money it holds
    terms      VARCHAR(1024)            NOT NULL, -- what its id is the digest of
    charged    BIGINT                   NOT NULL CHECK (charged >= 0), -- by all calls so far
    signed     BIGINT                   DEFAULT 0 NOT NULL, -- what the highest voucher permits that was charged by
    signature  BYTEA,                             -- the payer's, of that; null before the first charge
    refunds    INTEGER                  DEFAULT 0 NOT NULL, -- how often money went back
    -- The payment that holds the channel, what its voucher permits, and what it puts into the channel; null if none does.
    payment_id UUID,
    promised   BIGINT,
    promise    BYTEA,
    deposit    BIGINT                   DEFAULT 0 NOT NULL CHECK (deposit >= 0),
    nonce      BYTEA,                             -- the deposit's
    used_at    TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (network, id)
);

CREATE INDEX channel_payer ON channel (network, payer);

-- Deposits that were taken, so that none is taken twice.
CREATE TABLE channel_deposit (
    network VARCHAR(64)              NOT NULL,
    channel BYTEA                    NOT NULL,
    nonce   BYTEA                    NOT NULL,
    amount  BIGINT                   NOT NULL CHECK (amount > 0),
    at      TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (network, channel, nonce)
);

CREATE INDEX channel_deposit_at ON channel_deposit (at);
