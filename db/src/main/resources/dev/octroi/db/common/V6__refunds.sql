-- Money that goes back. A settled payment never releases: what is given back is a row of its own, owed until it is paid.
CREATE TABLE refund (
    id          UUID                     NOT NULL PRIMARY KEY,
    payment_id  UUID                     NOT NULL,
    request_key VARCHAR(64)              NOT NULL, -- asking twice under one key is one refund
    amount      BIGINT                   NOT NULL CHECK (amount > 0),
    state       SMALLINT                 NOT NULL CHECK (state BETWEEN 1 AND 3), -- 1 owed, 2 sending, 3 paid
    reason      VARCHAR(200)             NOT NULL,
    tx          VARCHAR(128),
    asked_at    TIMESTAMP WITH TIME ZONE NOT NULL,
    closed_at   TIMESTAMP WITH TIME ZONE,
    UNIQUE (payment_id, request_key)
);

CREATE INDEX refund_asked ON refund (asked_at, id);
