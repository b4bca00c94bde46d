-- Files that answers link to: generated pictures and tracks. Nobody finds one before it is complete.
CREATE TABLE asset (
    id         VARCHAR(32)              NOT NULL PRIMARY KEY, -- 128 random bits
    kind       VARCHAR(8)               NOT NULL,
    length     BIGINT                   NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    complete   BOOLEAN                  NOT NULL
);

CREATE INDEX asset_expires_at ON asset (expires_at);

-- At most 256 KiB each, all but the last of an asset the same. No foreign key: pieces are deleted before their asset.
CREATE TABLE asset_piece (
    asset VARCHAR(32) NOT NULL,
    place INTEGER     NOT NULL,
    bytes BYTEA       NOT NULL,
    PRIMARY KEY (asset, place)
);
