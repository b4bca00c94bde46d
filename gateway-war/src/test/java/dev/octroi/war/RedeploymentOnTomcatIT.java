package dev.octroi.war;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The full WAR comes to a Tomcat and goes, ten times, and sells each time. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedeploymentOnTomcatIT {

  private static final String TICKER = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";
  private static final String LOADER = "org.apache.catalina.loader.ParallelWebappClassLoader";
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int TIMES = 10;
  private static final int DEPLOYED = 1;

  /** One may be kept by a method handle of the JDK's that was last used for a type of it. */
  private static final int KEPT = 1;

  /** Caches that the JDK empties when memory is short are emptied by each garbage collection. */
  private static final String NO_CACHES = "-XX:SoftRefLRUPolicyMSPerMB=0";

  /** Threads that the gateway or its libraries make. */
  private static final Pattern OURS =
      Pattern.compile(
          "(octroi|ledger|upstream|image|web-|language|HttpClient|PostgreSQL|Hikari).*");

  @TempDir static Path folder;

  private final Closing close = new Closing();
  private Sandbox sandbox;
  private BookServer books;
  private Tomcat tomcat;

  @BeforeAll
  void start() throws Exception {
    sandbox = close.add(Sandbox.start());
    books = close.add(BookServer.start());
    tomcat = close.add(Tomcat.start(folder, Map.of("unset", Map.of()), NO_CACHES));
  }

  @AfterAll
  void stop() throws Exception {
    close.all();
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(Tomcat.settings(sandbox, books.url()));
    settings.put("gateway.database.user", BookServer.USER);
    return settings;
  }

  @Test
  void tenDeploymentsLeaveNoThreadNoClassLoaderAndNoConnection() throws Exception {
    for (int time = 1; time <= TIMES; time++) {
      comesSellsAndGoes();
    }

    assertThat(books.connectionsOfOthers()).isZero();
    LiveJvm server = tomcat.jvm();
    // A client of the JDK's ends with the garbage collection that finds it, and its loader after.
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () -> {
              assertThat(server.reachable(LOADER)).isLessThanOrEqualTo(DEPLOYED + KEPT);
              assertThat(server.threads()).noneMatch(OURS.asMatchPredicate());
            });
  }

  private void comesSellsAndGoes() throws IOException, InterruptedException {
    tomcat.deploy("again", settings());
    Visitor visitor = new Visitor(tomcat.at("again"));
    await().atMost(TIMEOUT).until(() -> visitor.get("/").statusCode() == 200);
    assertThat(visitor.buy(TICKER).status()).isEqualTo(200);
    tomcat.undeploy("again");
    assertThat(visitor.get("/").statusCode()).isEqualTo(404);
  }
}
