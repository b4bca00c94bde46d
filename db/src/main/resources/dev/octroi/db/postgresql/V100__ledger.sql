-- The schema of the ledger. Timestamps are UTC; states stand by name.

-- --- Payments

-- One row per life (epoch) of a node. It lives while expires_at, by the database's clock, lies in the future; an
-- expired row never revives: the node begins a new epoch instead, so that its old claims stay closed to it.
CREATE TABLE node (
    name       VARCHAR(64)              NOT NULL,
    epoch      BIGINT                   NOT NULL,
    beat_at    TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    -- No open claim of this epoch was claimed earlier: a node that closes them scans from here, without an index on
    -- state.
    open_since TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (name, epoch)
);

-- One row per authorization, for as long as it could be presented again. It is not partitioned: the uniqueness of
-- (network, payer, nonce) must hold over all time, and a partitioned unique index only holds within a partition.
-- There is no index and no partial predicate on state: it would turn every transition into an index write.
CREATE TABLE payment (
    id            UUID                     NOT NULL PRIMARY KEY,
    network       VARCHAR(64) COLLATE "C"  NOT NULL,
    payer         BYTEA                    NOT NULL,
    nonce         BYTEA                    NOT NULL,
    state         VARCHAR(16)              NOT NULL
        CHECK (state IN ('CLAIMED', 'SETTLING', 'SETTLED', 'FAILED', 'RELEASED', 'IN_DOUBT')),
    attempt       INTEGER                  NOT NULL,
    node          VARCHAR(64)              NOT NULL,
    epoch         BIGINT                   NOT NULL,
    method        VARCHAR(16)              NOT NULL,
    path          VARCHAR(16384)           NOT NULL,
    query         VARCHAR(16384)           NOT NULL,
    body_hash     BYTEA                    NOT NULL,
    envelope_hash BYTEA                    NOT NULL,
    amount        BIGINT                   NOT NULL CHECK (amount >= 0),
    asset         VARCHAR(128)             NOT NULL,
    pay_to        VARCHAR(128)             NOT NULL,
    valid_before  TIMESTAMP WITH TIME ZONE NOT NULL,
    claimed_at    TIMESTAMP WITH TIME ZONE NOT NULL,
    settled_at    TIMESTAMP WITH TIME ZONE,
    tx            VARCHAR(128),
    reason        VARCHAR(200),
    delivered     BOOLEAN                  DEFAULT FALSE NOT NULL,
    reruns        SMALLINT                 DEFAULT 0 NOT NULL,
    rerunning     BOOLEAN                  DEFAULT FALSE NOT NULL,
    redelivery    VARCHAR(16)              NOT NULL CHECK (redelivery IN ('STORED', 'REREAD', 'RESUMED')),
    -- Who called, where, and when what happened; charged is what a key paid if that is less than it had reserved.
    key_id        UUID,
    scope         VARCHAR(64),
    request_id    VARCHAR(64),
    charged       BIGINT                   CHECK (charged >= 0),
    settling_at   TIMESTAMP WITH TIME ZONE,
    delivered_at  TIMESTAMP WITH TIME ZONE,
    closed_at     TIMESTAMP WITH TIME ZONE, -- released or failed
    -- The answer left while its transaction is still on its way: the payment stays settling, belongs to no call any
    -- more, and is listed as unresolved until the chain has spoken (money rule 11).
    sent          BOOLEAN                  DEFAULT FALSE NOT NULL,
    UNIQUE (network, payer, nonce)
) WITH (fillfactor = 80);

CREATE INDEX payment_claimed_at ON payment USING brin (claimed_at);

-- Payments whose outcome is not known. Small by nature: it stands in for an index on payment.state.
CREATE TABLE doubt (
    payment_id UUID                     NOT NULL PRIMARY KEY,
    since      TIMESTAMP WITH TIME ZONE NOT NULL,
    reason     VARCHAR(200)             NOT NULL,
    tx         VARCHAR(128),
    ask_at     TIMESTAMP WITH TIME ZONE -- when it is to be looked at next; null is now
);

-- Answers, encrypted, until they were delivered or their time is over. Apart from payment, so that its rows stay small.
CREATE TABLE stored_answer (
    payment_id UUID                     NOT NULL PRIMARY KEY,
    stored_at  TIMESTAMP WITH TIME ZONE NOT NULL,
    sealed     BYTEA                    NOT NULL,
    size       INTEGER                  DEFAULT 0 NOT NULL -- so that their sum can be bounded without reading them
);

CREATE INDEX stored_answer_stored_at ON stored_answer (stored_at);

-- Ciphertext does not compress.
ALTER TABLE stored_answer ALTER COLUMN sealed SET STORAGE EXTERNAL;

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

-- An effect that cannot be undone, durable before the vendor is called (money rule 6).
CREATE TABLE effect (
    id         UUID                     NOT NULL PRIMARY KEY,
    payment_id UUID                     NOT NULL,
    kind       VARCHAR(32)              NOT NULL,
    intent     VARCHAR(24000)           NOT NULL, -- what an assistant is told to do may be long
    vendor_key VARCHAR(128)             NOT NULL UNIQUE,
    outcome    VARCHAR(16)              NOT NULL CHECK (outcome IN ('DONE', 'NOT_DONE', 'UNKNOWN')),
    vendor_ref VARCHAR(256),
    begun_at   TIMESTAMP WITH TIME ZONE NOT NULL,
    closed_at  TIMESTAMP WITH TIME ZONE,
    details    VARCHAR(4000), -- what the vendor told beside its reference, in the form of its connector
    note       VARCHAR(300), -- why it was not done, or how it was closed by hand
    -- How often its vendor was asked in vain, and when to ask again; null: as soon as its call is over.
    tries      INTEGER                  DEFAULT 0 NOT NULL,
    due_at     TIMESTAMP WITH TIME ZONE,
    UNIQUE (payment_id, kind)
);

CREATE INDEX effect_outcome ON effect (outcome, begun_at);

-- Money that goes back. A settled payment never releases: what is given back is a row of its own, owed until it is paid.
CREATE TABLE refund (
    id          UUID                     NOT NULL PRIMARY KEY,
    payment_id  UUID                     NOT NULL,
    request_key VARCHAR(64)              NOT NULL, -- asking twice under one key is one refund
    amount      BIGINT                   NOT NULL CHECK (amount > 0),
    state       VARCHAR(16)              NOT NULL CHECK (state IN ('OWED', 'SENDING', 'PAID')),
    reason      VARCHAR(200)             NOT NULL,
    tx          VARCHAR(128),
    asked_at    TIMESTAMP WITH TIME ZONE NOT NULL,
    closed_at   TIMESTAMP WITH TIME ZONE,
    -- Who signed the authorization that a treasury pays it by, and until when that holds; both from SENDING on. Its nonce
    -- follows from the refund's id, so that the chain takes it once, however often and by however many nodes it is sent.
    treasury     VARCHAR(128),
    valid_before TIMESTAMP WITH TIME ZONE,
    -- How often one was signed: what is proven of one authorization must not close the next.
    attempt      INTEGER                 DEFAULT 0 NOT NULL,
    -- Why it is not paid yet, and when to look at it again; null: at once.
    note         VARCHAR(300),
    due_at       TIMESTAMP WITH TIME ZONE,
    UNIQUE (payment_id, request_key)
);

CREATE INDEX refund_state ON refund (state, due_at);

CREATE INDEX refund_asked ON refund (asked_at, id);

-- --- The journal

-- Accounts of the journal. A payer's row also holds the sum of its open claims (reserved), so that exposure is
-- judged under one row lock; balance is sandbox money and null where a chain holds the money.
CREATE TABLE book_account (
    id       BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    kind     VARCHAR(16)  NOT NULL CHECK (kind IN ('PAYER', 'SELLER', 'TREASURY', 'LOSS', 'DEBT')),
    network  VARCHAR(64)  NOT NULL,
    owner    BYTEA        NOT NULL,
    asset    VARCHAR(128) NOT NULL,
    reserved BIGINT       DEFAULT 0 NOT NULL CHECK (reserved >= 0),
    balance  BIGINT       CHECK (balance >= 0),
    UNIQUE (network, owner, asset, kind)
) WITH (fillfactor = 80);

-- One row a movement: amount leaves debit and arrives at credit. A partition per month, so that old books are
-- detached, not deleted row by row; the default partition takes what no month was made for.
CREATE TABLE journal (
    id         BIGINT GENERATED BY DEFAULT AS IDENTITY,
    at         TIMESTAMP WITH TIME ZONE NOT NULL,
    payment_id UUID,
    debit      BIGINT                   NOT NULL,
    credit     BIGINT                   NOT NULL,
    amount     BIGINT                   NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);

CREATE TABLE journal_other PARTITION OF journal DEFAULT;

-- Makes the partitions of a month and the two after it; called at migration and by each node's housekeeping.
CREATE FUNCTION journal_months(from_month DATE) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    first DATE;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('octroi.journal_months'));
    FOR i IN 0..2 LOOP
        first := (date_trunc('month', from_month) + make_interval(months => i))::DATE;
        IF to_regclass('journal_' || to_char(first, 'YYYY_MM')) IS NULL THEN
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF journal FOR VALUES FROM (%L) TO (%L)',
                'journal_' || to_char(first, 'YYYY_MM'),
                first || ' 00:00:00+00',
                (first + INTERVAL '1 month')::DATE || ' 00:00:00+00');
        END IF;
    END LOOP;
END
$$;

SELECT journal_months((now() AT TIME ZONE 'UTC')::DATE);

-- What the lines of closed months summed up to: credits less debits, a row an account. A balance is this and the lines
-- that are still there.
CREATE TABLE journal_opening (
    account BIGINT NOT NULL PRIMARY KEY,
    amount  BIGINT NOT NULL
);

-- One row, whose lock lets one node at a time carry lines over. Lines of before are carried over or about to be.
CREATE TABLE journal_closing (
    id            SMALLINT                 NOT NULL PRIMARY KEY CHECK (id = 1),
    closed_before TIMESTAMP WITH TIME ZONE NOT NULL
);

INSERT INTO journal_closing (id, closed_before) VALUES (1, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00');

-- Drops the partitions of months that lie before and whose lines were all carried over. The share lock keeps lines out
-- while it looks, and lets readers pass; a month that another session holds is left alone until the next time.
CREATE FUNCTION journal_drop_months(closed TIMESTAMP WITH TIME ZONE) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    month REGCLASS;
    used  BOOLEAN;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('octroi.journal_months'));
    PERFORM set_config('lock_timeout', '200ms', TRUE);
    FOR month IN
        SELECT c.oid::REGCLASS FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'journal'::REGCLASS AND c.relname ~ '^journal_\d{4}_\d{2}$'
          AND (to_date(right(c.relname, 7), 'YYYY_MM') + INTERVAL '1 month') AT TIME ZONE 'UTC' <= closed
    LOOP
        BEGIN
            EXECUTE format('LOCK TABLE %s IN SHARE MODE', month);
            EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', month) INTO used;
            IF NOT used THEN
                EXECUTE format('DROP TABLE %s', month);
            END IF;
        EXCEPTION WHEN lock_not_available THEN
            NULL;
        END;
    END LOOP;
END
$$;

-- --- Accounts, API keys and managed wallets

-- A caller who pays by API key.
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

-- --- Transactions on chains

-- Transactions that the gateway sends itself. Hashes and addresses are bytes; fees are wei per gas.

-- A key that pays for gas. The nonce is taken and the transaction that uses it is stored in one commit, so that
-- no node can take the same one and none is left unused.
CREATE TABLE relayer (
    network    VARCHAR(64) NOT NULL,
    address    BYTEA       NOT NULL,
    next_nonce BIGINT      NOT NULL CHECK (next_nonce >= 0),
    PRIMARY KEY (network, address)
);

-- A signed transaction, stored before it is sent. One nonce of a relayer may have several, each with higher fees;
-- the chain takes one of them.
CREATE TABLE chain_tx (
    hash        BYTEA                    NOT NULL PRIMARY KEY,
    network     VARCHAR(64)              NOT NULL,
    relayer     BYTEA                    NOT NULL,
    nonce       BIGINT                   NOT NULL,
    -- REPLACED: by another transaction of its nonce.
    state       VARCHAR(16)              NOT NULL CHECK (state IN ('STORED', 'SENT', 'MINED', 'FINAL', 'REPLACED')),
    raw         BYTEA                    NOT NULL,
    gas_limit   BIGINT                   NOT NULL,
    max_fee     NUMERIC(38)              NOT NULL,
    tip         NUMERIC(38)              NOT NULL,
    node        VARCHAR(64)              NOT NULL, -- who follows it, unless it falls behind
    created_at  TIMESTAMP WITH TIME ZONE NOT NULL,
    sent_at     TIMESTAMP WITH TIME ZONE NOT NULL, -- the last time; the time of storing before the first
    good_until  TIMESTAMP WITH TIME ZONE NOT NULL, -- when the last of its authorizations ends
    block       BIGINT
);

CREATE INDEX chain_tx_state ON chain_tx (network, state);
CREATE INDEX chain_tx_nonce ON chain_tx (network, relayer, nonce);

-- The payments in a transaction, with all that is needed to send one of them again.
CREATE TABLE chain_tx_payment (
    hash     BYTEA        NOT NULL REFERENCES chain_tx (hash),
    position SMALLINT     NOT NULL,
    network  VARCHAR(64)  NOT NULL,
    payer    BYTEA        NOT NULL,
    nonce    BYTEA        NOT NULL,
    token    BYTEA        NOT NULL,
    call     BYTEA        NOT NULL,
    -- MOVED: sent again alone.
    outcome  VARCHAR(16)  DEFAULT 'OPEN' NOT NULL CHECK (outcome IN ('OPEN', 'PAID', 'NOT_PAID', 'MOVED')),
    PRIMARY KEY (hash, position)
);

CREATE INDEX chain_tx_payment_authorization ON chain_tx_payment (network, payer, nonce);

-- Transactions of Solana that the gateway signs as fee payer, stored before they are sent: a message once over
-- all nodes. A row without bytes bars a message that was never sent.
CREATE TABLE solana_tx (
    network           VARCHAR(64)              NOT NULL,
    message_hash      BYTEA                    NOT NULL, -- SHA-256 of what the payer signed
    raw               BYTEA                    NOT NULL,
    last_valid_height BIGINT                   NOT NULL, -- no block above it can hold the transaction
    state             VARCHAR(16)              NOT NULL CHECK (state IN ('OPEN', 'LANDED', 'DEAD')),
    stored_at         TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (network, message_hash)
);

CREATE INDEX solana_tx_stored_at ON solana_tx (stored_at);

-- --- What groups keep

-- Pictures that take longer than their call: a row from when the caller is told so until its time is over and
-- no caller may ask for it.
CREATE TABLE image_job (
    id          UUID                     NOT NULL PRIMARY KEY, -- 128 random bits
    owner       VARCHAR(160)             NOT NULL,
    -- Which of its owner's places for unsettled work it takes; null once it is paid for or has failed.
    place       SMALLINT,
    state       VARCHAR(16)              NOT NULL CHECK (state IN ('QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED')),
    attempt     INTEGER                  NOT NULL, -- how often it was begun
    lost        SMALLINT                 DEFAULT 0 NOT NULL, -- how often its node died over it
    node        VARCHAR(64), -- whose it is to run, with the epoch; null while any node may take it
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
CREATE INDEX image_job_created ON image_job (created_at, id);

-- Files that answers link to: generated pictures and tracks. None is found before it is complete.
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

-- A phone number leased to a payer (specification, phone number lease). Every change names what it found here.
CREATE TABLE lease (
    id              UUID                     NOT NULL PRIMARY KEY, -- of the effect that bought it
    phone           VARCHAR(16)              NOT NULL,
    country         VARCHAR(2)               NOT NULL,
    owner           VARCHAR(160)             NOT NULL,
    network         VARCHAR(64)              NOT NULL,             -- it was bought on
    vendor_ref      VARCHAR(64)              NOT NULL,
    bought_at       TIMESTAMP WITH TIME ZONE NOT NULL,
    state           VARCHAR(16)              NOT NULL CHECK (state IN ('ACTIVE', 'RENEWAL_DUE', 'EXPIRED', 'RELEASED')),
    expires_at      TIMESTAMP WITH TIME ZONE NOT NULL,
    -- The one payment that may pay for the term after expires_at without its owner's call.
    renewal_payment UUID,
    renewal_request VARCHAR(64),
    -- When a recurring task has something to do here; null once the vendor has the number back.
    look_at         TIMESTAMP WITH TIME ZONE,
    ended_at        TIMESTAMP WITH TIME ZONE
);

CREATE INDEX lease_owner ON lease (owner, phone);
CREATE INDEX lease_look ON lease (look_at);
CREATE INDEX lease_ended ON lease (ended_at);
CREATE INDEX lease_bought ON lease (bought_at, id);

-- What a payment did to a lease, or that it never will: one row an effect, so that it happens once.
CREATE TABLE lease_change (
    effect_id  UUID                     NOT NULL PRIMARY KEY,
    lease_id   UUID                     NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE, -- as it then was; null: refused
    reason     VARCHAR(100),
    changed_at TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE INDEX lease_change_at ON lease_change (changed_at);

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
CREATE INDEX voice_call_placed ON voice_call (placed_at, id);

-- --- Recurring tasks

-- What any node does from time to time, once for all of them (db-scheduler's own table).
CREATE TABLE scheduled_tasks (
    task_name            TEXT                     NOT NULL,
    task_instance        TEXT                     NOT NULL,
    task_data            BYTEA,
    execution_time       TIMESTAMP WITH TIME ZONE NOT NULL,
    picked               BOOLEAN                  NOT NULL,
    picked_by            TEXT,
    last_success         TIMESTAMP WITH TIME ZONE,
    last_failure         TIMESTAMP WITH TIME ZONE,
    consecutive_failures INT,
    last_heartbeat       TIMESTAMP WITH TIME ZONE,
    version              BIGINT                   NOT NULL,
    priority             SMALLINT,
    PRIMARY KEY (task_name, task_instance)
);

CREATE INDEX scheduled_tasks_execution_time ON scheduled_tasks (execution_time);
CREATE INDEX scheduled_tasks_last_heartbeat ON scheduled_tasks (last_heartbeat);
