-- Why a payment was given back: the status of the answer that was not charged, and the upstream that was asked for it.
-- The reason stands where that of a failed payment does.
ALTER TABLE payment ADD COLUMN answer_status SMALLINT;
ALTER TABLE payment ADD COLUMN upstream VARCHAR(64);

-- How calls ended, by hour and row of the catalogue: sums that each node adds to now and again, so that no call costs a
-- statement. b0 to b15 are the buckets of a histogram of how long they took.
CREATE TABLE call_outcome (
    node    VARCHAR(64)              NOT NULL,
    at_hour TIMESTAMP WITH TIME ZONE NOT NULL,
    scope   VARCHAR(64)              NOT NULL,
    method  VARCHAR(16)              NOT NULL,
    path    VARCHAR(600)             NOT NULL,
    outcome VARCHAR(16)              NOT NULL,
    paying  BIGINT                   NOT NULL, -- how many of them brought a payment
    b0      BIGINT                   NOT NULL,
    b1      BIGINT                   NOT NULL,
    b2      BIGINT                   NOT NULL,
    b3      BIGINT                   NOT NULL,
    b4      BIGINT                   NOT NULL,
    b5      BIGINT                   NOT NULL,
    b6      BIGINT                   NOT NULL,
    b7      BIGINT                   NOT NULL,
    b8      BIGINT                   NOT NULL,
    b9      BIGINT                   NOT NULL,
    b10     BIGINT                   NOT NULL,
    b11     BIGINT                   NOT NULL,
    b12     BIGINT                   NOT NULL,
    b13     BIGINT                   NOT NULL,
    b14     BIGINT                   NOT NULL,
    b15     BIGINT                   NOT NULL,
    PRIMARY KEY (node, at_hour, scope, method, path, outcome)
);

CREATE INDEX call_outcome_hour ON call_outcome (at_hour);

-- What operators changed through the admin interface: who, what, and how it stood before and after, secrets masked.
CREATE TABLE operator_action (
    id           UUID                     NOT NULL PRIMARY KEY,
    at           TIMESTAMP WITH TIME ZONE NOT NULL,
    operator     VARCHAR(64)              NOT NULL,
    address      VARCHAR(64)              NOT NULL,
    request_id   VARCHAR(64)              NOT NULL,
    method       VARCHAR(16)              NOT NULL,
    path         VARCHAR(300)             NOT NULL,
    status       SMALLINT                 NOT NULL, -- HTTP status of the answer
    asked        VARCHAR(8000), -- the request's body
    before_state VARCHAR(8000), -- what was changed, as the interface shows it; null if it shows nothing of the kind
    after_state  VARCHAR(8000) -- the answer's body
);

CREATE INDEX operator_action_at ON operator_action (at, id);

-- Operators with tokens of their own, of which there are hashes only. A name never means another operator later.
CREATE TABLE operator_token (
    id         UUID                     NOT NULL PRIMARY KEY,
    name       VARCHAR(64)              NOT NULL UNIQUE,
    role       VARCHAR(16)              NOT NULL CHECK (role IN ('READ', 'ACT', 'ADMIN')),
    token_hash BYTEA                    NOT NULL UNIQUE,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    revoked_at TIMESTAMP WITH TIME ZONE
);
