-- What operators change of the settings while gateways serve: each change is written once and never rewritten.
CREATE TABLE settings_change (
    number     BIGINT                   NOT NULL PRIMARY KEY, -- 1, 2, 3, …
    written_at TIMESTAMP WITH TIME ZONE NOT NULL,
    from_at    TIMESTAMP WITH TIME ZONE NOT NULL, -- since when it holds, on every node
    written_by VARCHAR(64)              NOT NULL,
    note       VARCHAR(500)             NOT NULL,
    lines      CLOB                     NOT NULL -- a JSON object; null gives a line back to the file, secrets are sealed
);

-- The OpenAPI documents that changes name, as they were read when the change was written.
CREATE TABLE settings_document (
    number BIGINT      NOT NULL,
    word   VARCHAR(32) NOT NULL, -- of the route
    text   CLOB        NOT NULL,
    PRIMARY KEY (number, word)
);
