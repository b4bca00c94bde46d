package dev.octroi.api;

import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class MarginOnH2Test extends MarginContract {

  @Override
  DataSource emptyDatabase() {
    return H2Database.empty();
  }
}
