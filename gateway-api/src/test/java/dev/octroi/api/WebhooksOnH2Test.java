package dev.octroi.api;

import javax.sql.DataSource;

class WebhooksOnH2Test extends WebhooksContract {

  @Override
  DataSource emptyDatabase() {
    return H2Database.empty();
  }
}
