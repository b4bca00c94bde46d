-- A table of the application's own, by its own Flyway, beside Octroi's schema.
CREATE TABLE city (name VARCHAR(100) PRIMARY KEY);
