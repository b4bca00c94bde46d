package dev.octroi.war;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.sandbox.Sandbox;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The full WAR comes to a real Tomcat, sells, and goes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeploymentOnTomcatIT {

  private static final String TICKER = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** The JVM's unnamed threads for files end by themselves. */
  private static final Pattern FORGOTTEN_THREAD =
      Pattern.compile("\\[closing] appears to have started a thread named \\[(?!Thread-)");

  @TempDir static Path folder;

  private final Closing close = new Closing();
  private Sandbox sandbox;
  private Tomcat tomcat;

  @BeforeAll
  void start() throws Exception {
    sandbox = close.add(Sandbox.start());
    tomcat =
        close.add(
            Tomcat.start(
                folder,
                Map.of(
                    "unset", Map.of(), "mistaken", Map.of("gateway.database.pool-size", "many"))));
  }

  @AfterAll
  void stop() throws Exception {
    close.all();
  }

  private Map<String, String> settings(String database) {
    return Tomcat.settings(sandbox, jdbc("async:", database) + ";WRITE_DELAY=0");
  }

  private static String jdbc(String kind, String database) {
    return "jdbc:h2:" + kind + folder.resolve("data").resolve(database);
  }

  @Test
  void withoutConfigurationItSaysAtItsHomeAndInTheLogWhatToSet() throws Exception {
    HttpResponse<String> home = new Visitor(tomcat.at("unset")).get("/");
    assertThat(home.statusCode()).isEqualTo(503);
    for (String said : List.of(home.body(), tomcat.output())) {
      assertThat(said)
          .contains(
              "gateway.upstream.cryptodata.base-address is not set",
              "gateway.upstream.prediction.base-address is not set",
              "gateway.sandbox.url");
    }
  }

  @Test
  void strangersAreNotToldWhatASettingIsSetTo() throws Exception {
    HttpResponse<String> home = new Visitor(tomcat.at("mistaken")).get("/");
    assertThat(home.statusCode()).isEqualTo(503);
    assertThat(home.body()).contains("gateway.database.pool-size").doesNotContain("many");
    assertThat(tomcat.output()).contains("gateway.database.pool-size", "'many'");
  }

  @Test
  void withoutConfigurationNothingIsServedAndErrorsHaveTheirShape() throws Exception {
    HttpResponse<String> refused = new Visitor(tomcat.at("unset")).get(TICKER);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body())
        .isEqualTo(
            "{\"error\":{\"code\":\"not_configured\","
                + "\"message\":\"The gateway is not configured yet.\"}}");
    assertThat(new Visitor(tomcat.at("unset")).get("/admin/v1/prices").body())
        .isEqualTo("{\"error\":\"The gateway is not configured yet.\"}");
  }

  @Test
  void undeployedItLeavesNothingBehindButItsBooks() throws Exception {
    tomcat.deploy("closing", settings("closing"));
    Visitor visitor = new Visitor(tomcat.at("closing"));
    await().atMost(TIMEOUT).until(() -> visitor.get("/").statusCode() == 200);
    PaidAnswer answer = visitor.buy(TICKER);
    assertThat(answer.status()).isEqualTo(200);

    tomcat.undeploy("closing");

    assertThat(visitor.get("/").statusCode()).isEqualTo(404);
    assertThat(payments("closing")).isEqualTo(1);
    assertThat(tomcat.output())
        .doesNotContain("forcibly unregistered")
        .doesNotContainPattern(FORGOTTEN_THREAD);
  }

  /** Opens the file, which one process can have at a time. */
  private static int payments(String database) throws Exception {
    String query = "SELECT COUNT(*) FROM payment";
    try (Connection books = DriverManager.getConnection(jdbc("", database), "octroi", "");
        ResultSet count = books.createStatement().executeQuery(query)) {
      count.next();
      return count.getInt(1);
    }
  }
}
