-- Transactions of the base58 chain that the gateway signs as fee payer, stored before they are sent: a message once over
-- all nodes. A row without bytes bars a message that was never sent. Timestamps are UTC.
CREATE TABLE solana_tx (
    network           VARCHAR(64)              NOT NULL,
    message_hash      BYTEA                    NOT NULL, -- SHA-256 of what the payer signed
    raw               BYTEA                    NOT NULL,
    last_valid_height BIGINT                   NOT NULL, -- no block above it can hold the transaction
    state             SMALLINT                 NOT NULL CHECK (state BETWEEN 1 AND 3), -- 1 open, 2 landed, 3 dead
    stored_at         TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (network, message_hash)
);

CREATE INDEX solana_tx_stored_at ON solana_tx (stored_at);
