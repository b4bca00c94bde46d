package dev.octroi.payments.ledger.jdbc;

import javax.sql.DataSource;

/** A kind of database, one at a time: fresh at each opening, with the schema and nothing in it. */
interface TestDatabase {

  DataSource open();

  void close();
}
