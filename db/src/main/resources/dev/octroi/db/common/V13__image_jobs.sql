-- Pictures that take longer than their call: a row from when the caller is told so until nobody may ask any more.
CREATE TABLE image_job (
    id          UUID                     NOT NULL PRIMARY KEY, -- 128 random bits
    owner       VARCHAR(160)             NOT NULL,
    -- Which of its owner's places for unsettled work it takes; null once it is paid for or has failed.
    place       SMALLINT,
    state       SMALLINT                 NOT NULL CHECK (state BETWEEN 1 AND 4), -- queued, in progress, completed, failed
    attempt     INTEGER                  NOT NULL, -- how often it was begun
    lost        SMALLINT                 DEFAULT 0 NOT NULL, -- how often its node died over it
    node        VARCHAR(64), -- whose it is to run, with the epoch; null while it is anybody's
    epoch       BIGINT,
    model       VARCHAR(200)             NOT NULL,
    size        VARCHAR(16)              NOT NULL,
    pictures    SMALLINT                 NOT NULL,
    price       BIGINT                   NOT NULL CHECK (price > 0),
    request     BYTEA                    NOT NULL, -- sealed, as is what follows
    envelope    BYTEA, -- the payment header that it was ordered with
    result      BYTEA, -- what has come of it so far
    ordered     UUID                     NOT NULL, -- the payment that it was ordered with, and for which request
    ordered_for VARCHAR(64)              NOT NULL,
    payment     UUID                     NOT NULL, -- the one payment that may pay for it (money rule 9)
    paid_for    VARCHAR(64)              NOT NULL,
    network     VARCHAR(64)              NOT NULL,
    settled_at  TIMESTAMP WITH TIME ZONE,
    created_at  TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at  TIMESTAMP WITH TIME ZONE NOT NULL,
    UNIQUE (owner, place),
    UNIQUE (ordered, ordered_for)
);

CREATE INDEX image_job_expires_at ON image_job (expires_at);
CREATE INDEX image_job_state ON image_job (state);
