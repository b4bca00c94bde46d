package dev.octroi.api;

import javax.sql.DataSource;

class OperatorViewsOnH2Test extends OperatorViewsContract {

  @Override
  DataSource emptyDatabase() {
    return H2Database.empty();
  }

  @Override
  String bytes(String hex) {
    return "X'" + hex + "'";
  }
}
