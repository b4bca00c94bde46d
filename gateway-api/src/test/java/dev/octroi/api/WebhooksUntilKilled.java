package dev.octroi.api;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.db.Migrations;
import java.util.Map;

/**
 * A process with a gateway that sells as often as its third argument says, on the database of the
 * first, and tells the receiver at the second.
 */
final class WebhooksUntilKilled {

  private WebhooksUntilKilled() {}

  public static void main(String[] arguments) throws InterruptedException {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(arguments[0]);
    Migrations.apply(pool);
    GatewayHost host =
        new GatewayHost(
            Map.of(
                "gateway.database.node",
                "killed",
                "gateway.database.answer-key",
                "A".repeat(43) + "=",
                "gateway.reconciler.start-after",
                "0s",
                "gateway.webhooks.shop.url",
                arguments[1],
                "gateway.webhooks.shop.secret",
                "whsec_" + "c2VjcmV0".repeat(4),
                "gateway.webhooks.shop.private-network",
                "true"),
            pool);
    for (int sale = 0; sale < Integer.parseInt(arguments[2]); sale++) {
      host.paid("/v1/marketplace/cryptodata/market/etf");
    }
    Thread.currentThread().join();
  }
}
