-- Payments whose payer lets Permit2 move its token by a transaction that the gateway sends, and was given what it was
-- short of for gas: once for a token, and never again where it kept that.
CREATE TABLE sponsored_approval (
    network    VARCHAR(64)              NOT NULL,
    payer      BYTEA                    NOT NULL,
    token      BYTEA                    NOT NULL,
    call       BYTEA                    NOT NULL, -- what settles the payment
    approval   BYTEA                    NOT NULL, -- the payer's transaction
    nonce      BIGINT                   NOT NULL, -- of the payer's transaction
    funding    BYTEA,                             -- null where the payer had enough
    given      NUMERIC(38)              NOT NULL CHECK (given >= 0),
    -- LOST: the payer kept it, and its approval is not there.
    state      VARCHAR(16)              NOT NULL CHECK (state IN ('OPEN', 'DONE', 'LOST')),
    node       VARCHAR(64)              NOT NULL, -- who goes on with it, unless it falls behind
    given_at   TIMESTAMP WITH TIME ZONE NOT NULL,
    touched_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (network, payer, token)
);

CREATE INDEX sponsored_approval_state ON sponsored_approval (network, state);
CREATE INDEX sponsored_approval_given_at ON sponsored_approval (network, given_at);
