-- What a payer calls a payment by (the protocol's extension payment-identifier). Written in the claim's own commit, under
-- the lock of the payer's account, so that of any number of first uses on any node one is the first.
CREATE TABLE payment_identifier (
    network       VARCHAR(64)              NOT NULL,
    payer         BYTEA                    NOT NULL,
    id            VARCHAR(128)             NOT NULL,
    payment_id    UUID                     NOT NULL,
    envelope_hash BYTEA                    NOT NULL,
    binding_hash  BYTEA                    NOT NULL, -- of method, path, query and body
    used_at       TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (network, payer, id)
);

CREATE INDEX payment_identifier_id ON payment_identifier (id);
CREATE INDEX payment_identifier_payment ON payment_identifier (payment_id);
CREATE INDEX payment_identifier_used_at ON payment_identifier (used_at);

-- What an answer takes up, so that their sum can be bounded without reading them.
ALTER TABLE stored_answer ADD COLUMN size INTEGER DEFAULT 0 NOT NULL;
