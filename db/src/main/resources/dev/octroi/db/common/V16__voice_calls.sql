-- Calls that were placed, and what became of them. Written in the commit that closes the effect that placed it; from
-- then on its status only moves forward.
CREATE TABLE voice_call (
    id          VARCHAR(40)              NOT NULL PRIMARY KEY, -- 128 random bits
    owner       VARCHAR(160)             NOT NULL,
    effect_id   UUID                     NOT NULL UNIQUE,
    vendor_ref  VARCHAR(256)             NOT NULL,
    caller      VARCHAR(16)              NOT NULL,
    callee      VARCHAR(16)              NOT NULL,
    max_minutes INTEGER                  NOT NULL,
    status      VARCHAR(16)              NOT NULL,
    minutes     NUMERIC(10, 4),
    answered_by VARCHAR(32),
    transcript  VARCHAR(200000),
    recording   VARCHAR(2000),
    placed_at   TIMESTAMP WITH TIME ZONE NOT NULL,
    ends_at     TIMESTAMP WITH TIME ZONE NOT NULL, -- when the gateway ends it
    ended_at    TIMESTAMP WITH TIME ZONE,
    look_at     TIMESTAMP WITH TIME ZONE           -- when its vendor is to be asked again; null: never
);

CREATE INDEX voice_call_vendor_ref ON voice_call (vendor_ref);
CREATE INDEX voice_call_look_at ON voice_call (look_at);
CREATE INDEX voice_call_ended_at ON voice_call (ended_at);

-- What an assistant is told to do may be long.
ALTER TABLE effect ALTER COLUMN intent SET DATA TYPE VARCHAR(24000);
