package dev.octroi.api;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.Migrations;
import java.util.Map;

/**
 * A process with a gateway that leases numbers, on the database and from the vendor that its
 * arguments name. It says where it serves.
 */
final class LeaseUntilKilled {

  /** What comes before its address. */
  static final String SERVING = "serving at ";

  private LeaseUntilKilled() {}

  public static void main(String[] arguments) throws InterruptedException {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(arguments[0]);
    Migrations.apply(pool);
    Map<String, String> settings =
        Map.of(
            "gateway.database.node", "killed",
            "gateway.database.answer-key", "A".repeat(43) + "=",
            "gateway.upstream.phone.deadline", "60s");
    PhoneHost host = new PhoneHost(pool, arguments[1], settings);
    System.out.println(SERVING + host.base());
    Thread.currentThread().join();
  }
}
