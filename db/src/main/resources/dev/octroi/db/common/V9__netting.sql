-- What accounts owe for calls that were settled on account, until one transfer pays for many of them.
CREATE TABLE owed (
    payment_id UUID                     NOT NULL PRIMARY KEY,
    key_id     UUID                     NOT NULL,
    network    VARCHAR(64)              NOT NULL,
    payer      BYTEA                    NOT NULL,
    asset      VARCHAR(128)             NOT NULL,
    pay_to     VARCHAR(128)             NOT NULL,
    amount     BIGINT                   NOT NULL CHECK (amount > 0),
    since      TIMESTAMP WITH TIME ZONE NOT NULL,
    netting_id UUID -- the transfer that is to pay for it
);

CREATE INDEX owed_netting ON owed (netting_id);

-- A transfer for what is owed; it is a payment of its own, whose state says what became of it.
CREATE TABLE netting (
    id         UUID                     NOT NULL PRIMARY KEY, -- the payment's id
    amount     BIGINT                   NOT NULL CHECK (amount > 0),
    calls      INTEGER                  NOT NULL CHECK (calls > 0),
    begun_at   TIMESTAMP WITH TIME ZONE NOT NULL,
    closed_at  TIMESTAMP WITH TIME ZONE,
    paid       BOOLEAN -- null while it is under way
);
