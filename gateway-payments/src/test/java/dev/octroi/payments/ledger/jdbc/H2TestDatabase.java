package dev.octroi.payments.ledger.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.H2Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A file of H2 in a directory of its own, as a gateway would keep it. */
final class H2TestDatabase implements TestDatabase {

  private @Nullable Path directory;
  private @Nullable HikariDataSource pool;

  @Override
  public DataSource open() {
    try {
      directory = Files.createTempDirectory("octroi-ledger");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:async:" + directory.resolve("books") + ";WRITE_DELAY=0");
    pool = new HikariDataSource(config);
    H2Schema.copyTo(pool);
    return pool;
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.close();
    }
    if (directory != null) {
      try (Stream<Path> files = Files.list(directory)) {
        files.forEach(file -> file.toFile().delete());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      directory.toFile().delete();
    }
  }
}
