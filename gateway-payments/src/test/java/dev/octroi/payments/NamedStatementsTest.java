package dev.octroi.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.h2.jdbcx.JdbcDataSource;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NamedStatementsTest {

  /** In New York the same hour comes twice in this night; this is in the second one. */
  private static final Instant MOMENT = Instant.parse("2026-11-01T06:30:00.123456Z");

  @Test
  void aMomentIsKeptWhateverTheTimeZoneOfTheConnection() {
    assertThat(read(MOMENT)).contains(MOMENT);
    assertThat(read(null)).isEmpty();
  }

  private static Optional<Instant> read(@Nullable Instant moment) {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:moments;TIME ZONE=America/New_York");
    Jdbi statements = NamedStatements.of(database);
    return statements.withHandle(
        handle ->
            handle
                .createQuery("SELECT CAST(:moment AS TIMESTAMP(6) WITH TIME ZONE) AS told")
                .bind("moment", moment)
                .map((row, context) -> NamedStatements.instant(row, "told"))
                .one());
  }
}
