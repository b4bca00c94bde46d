-- Transactions that the gateway sends itself. Timestamps are UTC; hashes and addresses are bytes; fees are wei per gas.

-- A key that pays for gas. The nonce is taken and the transaction that uses it is stored in one commit, so that
-- no node can take the same one and none is left unused.
CREATE TABLE relayer (
    network    VARCHAR(64) NOT NULL,
    address    BYTEA       NOT NULL,
    next_nonce BIGINT      NOT NULL CHECK (next_nonce >= 0),
    PRIMARY KEY (network, address)
);

-- A signed transaction, stored before it is sent. One nonce of a relayer may have several, each with higher fees;
-- the chain takes one of them.
CREATE TABLE chain_tx (
    hash        BYTEA                    NOT NULL PRIMARY KEY,
    network     VARCHAR(64)              NOT NULL,
    relayer     BYTEA                    NOT NULL,
    nonce       BIGINT                   NOT NULL,
    -- 1 stored, 2 sent, 3 mined, 4 final, 5 replaced by another transaction of its nonce
    state       SMALLINT                 NOT NULL CHECK (state BETWEEN 1 AND 5),
    raw         BYTEA                    NOT NULL,
    gas_limit   BIGINT                   NOT NULL,
    max_fee     NUMERIC(38)              NOT NULL,
    tip         NUMERIC(38)              NOT NULL,
    node        VARCHAR(64)              NOT NULL, -- who follows it, unless it falls behind
    created_at  TIMESTAMP WITH TIME ZONE NOT NULL,
    sent_at     TIMESTAMP WITH TIME ZONE NOT NULL, -- the last time; the time of storing before the first
    good_until  TIMESTAMP WITH TIME ZONE NOT NULL, -- when the last of its authorizations ends
    block       BIGINT
);

CREATE INDEX chain_tx_state ON chain_tx (network, state);
CREATE INDEX chain_tx_nonce ON chain_tx (network, relayer, nonce);

-- The payments in a transaction, with all that is needed to send one of them again.
CREATE TABLE chain_tx_payment (
    hash     BYTEA        NOT NULL REFERENCES chain_tx (hash),
    position SMALLINT     NOT NULL,
    network  VARCHAR(64)  NOT NULL,
    payer    BYTEA        NOT NULL,
    nonce    BYTEA        NOT NULL,
    token    BYTEA        NOT NULL,
    call     BYTEA        NOT NULL,
    outcome  SMALLINT     DEFAULT 1 NOT NULL CHECK (outcome BETWEEN 1 AND 4), -- 1 open, 2 paid, 3 not paid, 4 sent again alone
    PRIMARY KEY (hash, position)
);

CREATE INDEX chain_tx_payment_authorization ON chain_tx_payment (network, payer, nonce);
