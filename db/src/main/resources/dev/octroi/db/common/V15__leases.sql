-- A phone number leased to a payer (specification, phone number lease). Every change names what it found here.
CREATE TABLE lease (
    id              UUID                     NOT NULL PRIMARY KEY, -- of the effect that bought it
    phone           VARCHAR(16)              NOT NULL,
    country         VARCHAR(2)               NOT NULL,
    owner           VARCHAR(160)             NOT NULL,
    network         VARCHAR(64)              NOT NULL,             -- it was bought on
    vendor_ref      VARCHAR(64)              NOT NULL,
    bought_at       TIMESTAMP WITH TIME ZONE NOT NULL,
    state           SMALLINT                 NOT NULL CHECK (state BETWEEN 1 AND 4), -- 1 active, 2 renewal due, 3 expired, 4 released
    expires_at      TIMESTAMP WITH TIME ZONE NOT NULL,
    -- The one payment that may pay for the term after expires_at without its owner's call.
    renewal_payment UUID,
    renewal_request VARCHAR(64),
    -- When a chore has something to do here; null once the vendor has the number back.
    look_at         TIMESTAMP WITH TIME ZONE,
    ended_at        TIMESTAMP WITH TIME ZONE
);

CREATE INDEX lease_owner ON lease (owner, phone);
CREATE INDEX lease_look ON lease (look_at);
CREATE INDEX lease_ended ON lease (ended_at);

-- What a payment did to a lease, or that it never will: one row an effect, so that it happens once.
CREATE TABLE lease_change (
    effect_id  UUID                     NOT NULL PRIMARY KEY,
    lease_id   UUID                     NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE, -- as it then was; null: refused
    reason     VARCHAR(100),
    changed_at TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE INDEX lease_change_at ON lease_change (changed_at);
