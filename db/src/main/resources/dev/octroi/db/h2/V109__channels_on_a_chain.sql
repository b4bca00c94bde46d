-- Of what a channel was charged, what its contract has paid out to the seller's account there, and since when there is more.
ALTER TABLE channel ADD COLUMN claimed BIGINT DEFAULT 0 NOT NULL CHECK (claimed >= 0);
ALTER TABLE channel ADD COLUMN unclaimed_since TIMESTAMP WITH TIME ZONE; -- null where there is none, and in the sandbox

CREATE INDEX channel_unclaimed ON channel (network, unclaimed_since);

-- What the contract said of a channel as of a confirmed block, in atomic units of its token.
CREATE TABLE channel_reading (
    network     VARCHAR(64)              NOT NULL,
    id          BYTEA                    NOT NULL,
    balance     BIGINT                   NOT NULL, -- what was put into it and not taken back
    claimed     BIGINT                   NOT NULL, -- what of it is the seller's for good
    withdrawing BIGINT                   NOT NULL, -- what its payer has begun to take back
    read_at     TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (network, id)
);
