package dev.octroi.api;

import javax.sql.DataSource;

class LeaseOnH2Test extends LeaseContract {

  @Override
  DataSource emptyDatabase() {
    return H2Database.empty();
  }
}
