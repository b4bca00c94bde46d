package dev.octroi.examples.shop;

import dev.octroi.db.Migrations;
import dev.octroi.payments.Paid;
import dev.octroi.payments.jaxrs.PaymentsFeature;
import dev.octroi.payments.setup.Payments;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.net.URI;
import javax.sql.DataSource;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.h2.jdbcx.JdbcConnectionPool;

/** Sells a report for a cent. */
@Path("/report")
public final class Shop {

  private static final String BOOKS =
      "jdbc:h2:async:./shop-data/shop;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

  @GET
  @Paid("0.01")
  @Produces("application/json")
  public String report() {
    return "{\"place\":\"Lisbon\",\"visitors\":4711}";
  }

  public static void main(String[] args) {
    open(JdbcConnectionPool.create(BOOKS, "", ""), 8480);
  }

  static HttpServer open(DataSource database, int port) {
    Migrations.apply(database);
    Payments payments = Payments.sandbox(database).build();
    return GrizzlyHttpServerFactory.createHttpServer(
        URI.create("http://127.0.0.1:" + port),
        new ResourceConfig(Shop.class).register(new PaymentsFeature(payments)));
  }
}
