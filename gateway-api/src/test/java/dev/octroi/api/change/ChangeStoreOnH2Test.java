package dev.octroi.api.change;

import dev.octroi.api.H2Database;
import javax.sql.DataSource;

class ChangeStoreOnH2Test extends ChangeStoreContract {

  @Override
  DataSource emptyDatabase() {
    return H2Database.empty();
  }
}
