-- Whoever pays by API key.
CREATE TABLE account (
    id         UUID                     NOT NULL PRIMARY KEY,
    name       VARCHAR(100)             NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE INDEX account_created ON account (created_at, id);

-- A key with what was granted to it. Its secrets lie apart, because it has two of them while it is rotated.
CREATE TABLE api_key (
    id           UUID                     NOT NULL PRIMARY KEY,
    account_id   UUID                     NOT NULL REFERENCES account (id),
    name         VARCHAR(100)             NOT NULL,
    prefix       VARCHAR(16)              NOT NULL,
    permitted    VARCHAR(2400)            NOT NULL, -- groups, comma-separated; empty: all
    rate         INTEGER                  CHECK (rate > 0), -- requests per minute
    granted_call BIGINT,
    own_call     BIGINT,
    created_at   TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at   TIMESTAMP WITH TIME ZONE,
    revoked_at   TIMESTAMP WITH TIME ZONE
);

CREATE INDEX api_key_created ON api_key (created_at, id);
CREATE INDEX api_key_account ON api_key (account_id, created_at, id);

-- SHA-256 of a secret. It has 256 random bits, so that a slow hash would protect nothing more.
CREATE TABLE key_secret (
    hash       BYTEA                    NOT NULL PRIMARY KEY,
    key_id     UUID                     NOT NULL REFERENCES api_key (id),
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    ends_at    TIMESTAMP WITH TIME ZONE
);

CREATE INDEX key_secret_key ON key_secret (key_id);

-- What a key may spend and has spent, in the day and month (UTC) that it was last used; one row, because its lock is
-- what makes a budget hold across nodes. Open claims count. A reservation of a day that is over is not given back.
CREATE TABLE key_budget (
    key_id          UUID   NOT NULL PRIMARY KEY REFERENCES api_key (id),
    granted_daily   BIGINT,
    own_daily       BIGINT,
    granted_monthly BIGINT,
    own_monthly     BIGINT,
    on_day          DATE   NOT NULL,
    day_spent       BIGINT DEFAULT 0 NOT NULL CHECK (day_spent >= 0),
    in_month        DATE   NOT NULL, -- its first day
    month_spent     BIGINT DEFAULT 0 NOT NULL CHECK (month_spent >= 0)
);

-- Private keys, sealed under a master key that is not in this database.
CREATE TABLE wallet (
    id           UUID                     NOT NULL PRIMARY KEY,
    account_id   UUID                     NOT NULL REFERENCES account (id),
    kind         VARCHAR(16)              NOT NULL, -- namespace of CAIP-2: eip155, solana
    address      VARCHAR(128)             NOT NULL,
    sealed_under VARCHAR(64)              NOT NULL,
    sealed       BYTEA                    NOT NULL,
    created_at   TIMESTAMP WITH TIME ZONE NOT NULL,
    UNIQUE (account_id, kind),
    UNIQUE (kind, address)
);

-- What was charged to a key, by the day (UTC) when the call began, and by group.
CREATE TABLE key_usage (
    key_id UUID        NOT NULL REFERENCES api_key (id),
    on_day DATE        NOT NULL,
    scope  VARCHAR(64) NOT NULL,
    calls  BIGINT      NOT NULL,
    spend  BIGINT      NOT NULL,
    PRIMARY KEY (key_id, on_day, scope)
);

CREATE INDEX key_usage_day ON key_usage (on_day);

-- Who called, where, and when what happened; charged is what a key paid if that is less than it had reserved.
ALTER TABLE payment ADD COLUMN key_id UUID;
ALTER TABLE payment ADD COLUMN scope VARCHAR(64);
ALTER TABLE payment ADD COLUMN request_id VARCHAR(64);
ALTER TABLE payment ADD COLUMN charged BIGINT CHECK (charged >= 0);
ALTER TABLE payment ADD COLUMN settling_at TIMESTAMP WITH TIME ZONE;
ALTER TABLE payment ADD COLUMN delivered_at TIMESTAMP WITH TIME ZONE;
ALTER TABLE payment ADD COLUMN closed_at TIMESTAMP WITH TIME ZONE; -- released or failed
