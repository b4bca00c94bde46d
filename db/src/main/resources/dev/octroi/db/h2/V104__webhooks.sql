-- What has happened: an event is written once, in the commit of the change that it tells, and only if it is sent to
-- anybody. Its id is what receivers know it by.
CREATE TABLE webhook_event (
    id         VARCHAR(128)             NOT NULL PRIMARY KEY,
    type       VARCHAR(40)              NOT NULL,
    subject    UUID                     NOT NULL, -- the payment, refund, lease, job or key that it happened to
    at         TIMESTAMP WITH TIME ZONE NOT NULL,
    data       VARCHAR(8000), -- what is told of it, JSON; of payments and refunds once deliveries were made of it
    relayed_at TIMESTAMP WITH TIME ZONE -- since when there is a delivery to each endpoint that wants it
);

CREATE INDEX webhook_event_at ON webhook_event (at);

-- An event on its way to an endpoint.
CREATE TABLE webhook_delivery (
    id         UUID                     NOT NULL PRIMARY KEY,
    endpoint   VARCHAR(32)              NOT NULL,
    event      VARCHAR(128)             NOT NULL,
    type       VARCHAR(40)              NOT NULL,
    state      VARCHAR(16)              NOT NULL CHECK (state IN ('WAITING', 'DELIVERED', 'FAILED')),
    attempts   INTEGER                  DEFAULT 0 NOT NULL,
    -- When it is sent next. While it is being sent, when another node takes over that finds it still waiting.
    due_at     TIMESTAMP WITH TIME ZONE NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    tried_at   TIMESTAMP WITH TIME ZONE, -- what follows is of that attempt
    status     SMALLINT,                 -- HTTP status of the answer; null if there was none
    answer     VARCHAR(200),             -- how the answer's body begins, or why there was none
    UNIQUE (endpoint, event)
);

CREATE INDEX webhook_delivery_created ON webhook_delivery (created_at, id);

-- Endpoints that have asked for no more.
CREATE TABLE webhook_endpoint (
    word        VARCHAR(32)              NOT NULL PRIMARY KEY,
    disabled_at TIMESTAMP WITH TIME ZONE NOT NULL
);

CREATE INDEX webhook_event_open ON webhook_event (relayed_at, at);
CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint, state, due_at);
