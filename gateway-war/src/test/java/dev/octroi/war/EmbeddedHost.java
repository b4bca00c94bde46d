package dev.octroi.war;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.octroi.api.Gateway;
import dev.octroi.api.UnsetApplication;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.SettingsSources;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.sandbox.Sandbox;
import dev.octroi.testkit.GatewayBehaviour;
import dev.octroi.war.GatewayLifecycle.DeployedGateway;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gateway beside a host's own resources, whatever implements JAX-RS below them. */
abstract class EmbeddedHost extends GatewayBehaviour {

  private static final String TOKEN = "the-operators-token-of-this-host";

  private final Closing close = new Closing();
  private URI base = URI.create("http://127.0.0.1/");

  /** The implementation that builds responses in this virtual machine from now on. */
  abstract RuntimeDelegate implementation();

  abstract Servlet servlet(Application application, ServletContextHandler context);

  @BeforeAll
  void start() throws Exception {
    RuntimeDelegate.setInstance(implementation());
    close.add(() -> RuntimeDelegate.setInstance(null));
    Sandbox sandbox = close.add(Sandbox.start());
    GatewaySettings settings =
        GatewaySettings.read(
            SettingsSources.none()
                .values("sandbox", sandbox.settings())
                .values("test", settings("jdbc:h2:mem:" + UUID.randomUUID())));
    HikariDataSource database = close.add(LedgerPool.open(settings.database()));
    DeployedGateway.set(
        close.add(Gateway.builder().settings(settings).database(database).strict(true).build()));
    base = close.add(JettyHost.start(context -> servlet(new HostApplication(), context))).base();
  }

  /** What the kit wants of a deployment. */
  static Map<String, String> settings(String database) {
    return Map.of(
        "gateway.database.url",
        database,
        "gateway.limits.unpaid-per-minute",
        "1000000",
        "gateway.images.fast-path",
        "1s",
        "gateway.admin.token",
        TOKEN);
  }

  @AfterAll
  void stop() throws Exception {
    DeployedGateway.set(null);
    close.all();
  }

  @Override
  protected URI baseUrl() {
    return base;
  }

  @Test
  void theHostsOwnMethodIsSold() throws Exception {
    Visitor visitor = new Visitor(base);
    assertThat(visitor.get("/shop/sold").statusCode()).isEqualTo(402);
    PaidAnswer sold = visitor.buy("/shop/sold");
    assertThat(sold.status()).isEqualTo(200);
    assertThat(new String(sold.body(), StandardCharsets.UTF_8)).isEqualTo("sold");
  }

  @Test
  @Tag("spec:payment.binding.resource")
  void aWalletMayStateTheAliasThatItAskedForBelowTheApplicationsPath() throws Exception {
    Visitor visitor = new Visitor(base);
    for (String alias :
        List.of(
            "/v1/prediction/venue-a/markets?limit=2",
            "/api/v1/prediction/venue-a/markets",
            "/api/v1/marketplace/prediction/venue-a/markets")) {
      String asked = base.toString().replaceAll("/$", "") + alias;
      assertThat(visitor.challenge(alias).resource().url()).isEqualTo(asked);
      assertThat(visitor.buyStating(asked, alias).statusCode()).as(alias).isEqualTo(200);
      String outside = base.resolve(alias).toString();
      assertThat(visitor.buyStating(outside, alias).body()).contains("resource_mismatch");
    }
  }

  @Test
  void pagesOfOtherSitesAreKeptFromSandboxMoneyAndTheHostsOwnPathsAreItsOwnAffair()
      throws Exception {
    Visitor visitor = new Visitor(base);
    String read = "/api/v1/prediction/venue-a/markets";
    assertThat(visitor.named("evil.example", read)).startsWith("HTTP/1.1 403").contains("{\"error");
    assertThat(visitor.named("localhost:1", read)).startsWith("HTTP/1.1 402");
    assertThat(visitor.named("localhost\r\nOrigin: https://evil.example", read))
        .startsWith("HTTP/1.1 403")
        .contains("gateway.sandbox.allowed-origins")
        .doesNotContain("Access-Control-Allow-Origin");
    assertThat(visitor.named("localhost\r\nOrigin: http://localhost:3000", read))
        .startsWith("HTTP/1.1 402")
        .contains("Access-Control-Allow-Origin: http://localhost:3000");
    assertThat(visitor.named("evil.example", "/shop/given")).startsWith("HTTP/1.1 200");
  }

  @Test
  @Tag("spec:operator.console")
  void theOperatorsConsoleAndWhatItAsksForAreServedHereToo() throws Exception {
    Visitor visitor = new Visitor(base);
    HttpResponse<String> page = visitor.get("/console");
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'");
    HttpResponse<String> script = visitor.get("/console/main.js");
    assertThat(script.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/javascript");
    assertThat(script.body()).contains("import {");
    assertThat(visitor.get("/console/none.js").statusCode()).isEqualTo(404);
    assertThat(visitor.get("/admin/v1/revenue").statusCode()).isEqualTo(401);
    for (String view : List.of("revenue", "leases", "calls", "jobs", "upstreams")) {
      HttpResponse<String> shown = visitor.getWith(TOKEN, "/admin/v1/" + view);
      assertThat(shown.statusCode()).as(shown.body()).isEqualTo(200);
      assertThat(shown.body()).contains("\"data\":[");
    }
  }

  @Test
  void noParameterOfAPathTurnsOneCommandOfAnOperatorIntoAnother() throws Exception {
    Visitor visitor = new Visitor(base);
    HttpResponse<String> made =
        visitor.postWith(TOKEN, "/admin/v1/operators", "{\"name\":\"acting\",\"role\":\"act\"}");
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    String acting = made.body().replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");
    String sly = "{\"lines\":{\"group.cryptodata\":\"0.02\"}}";
    String up = "%2F%252e%252e".repeat(8);
    assertThat(visitor.postWith(acting, "/admin/v1/changes", sly).statusCode()).isEqualTo(403);
    for (String path :
        List.of(
            "/admin;a=%2Fv1%2Fpayments" + up + "%2Fx/v1/changes",
            "/admin;a=%2Fv1%2Fpayments%2F/v1/changes",
            "/admin/v1/changes;a=%2F..%2Fpayments")) {
      assertThat(visitor.postWith(acting, path, sly).statusCode()).as(path).isIn(400, 403);
    }
    String unseen = "/admin/v1/changes;a=" + up + "%2Fpreview";
    assertThat(visitor.postWith(TOKEN, unseen, sly).statusCode()).as(unseen).isEqualTo(400);
    assertThat(visitor.getWith(TOKEN, "/admin/v1/changes").body()).startsWith("{\"data\":[]");
  }

  @Test
  void aCallerWhoBreaksOffLeavesNoTraceInTheLog() throws Exception {
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Handler log = new LoggedTraces(logged);
    Logger root = Logger.getLogger("");
    root.addHandler(log);
    try {
      breakOff("/v1/chat/completions", "{\"model\":", 100);
      breakOff("/mcp", "{", 100);
      for (int call = 0; call < 20; call++) {
        breakOff("/v1/models", "", 0);
      }
      Visitor visitor = new Visitor(base);
      await()
          .untilAsserted(
              () ->
                  assertThat(visitor.get("/metrics").body())
                      .containsPattern("octroi_requests_broken_total [2-9]"));
    } finally {
      root.removeHandler(log);
    }
    assertThat(logged).extracting(LogRecord::getMessage).isEmpty();
  }

  /** Announces more than it sends, or reads nothing of the answer, and resets the connection. */
  private void breakOff(String path, String body, int announced) throws IOException {
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      String head =
          "POST /market/api"
              + path
              + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
              + "Content-Length: "
              + announced
              + "\r\n\r\n";
      String request =
          announced == 0 ? head.replace("POST", "GET").replaceAll("Content-[^\r]*\r\n", "") : head;
      socket.getOutputStream().write((request + body).getBytes(StandardCharsets.US_ASCII));
      socket.setSoLinger(true, 0);
    }
  }

  /**
   * Keeps what is logged with a trace, or as worse than a warning, but for the loggers of
   * implementations that the guide to embedding names.
   */
  private static final class LoggedTraces extends Handler {

    private static final Set<String> LOG_CALLERS =
        Set.of(
            "org.glassfish.jersey.server.ServerRuntime$Responder",
            "org.apache.cxf.phase.PhaseInterceptorChain",
            "org.apache.cxf.jaxrs.utils.JAXRSUtils");

    private final List<LogRecord> kept;

    LoggedTraces(List<LogRecord> kept) {
      this.kept = kept;
    }

    @Override
    public void publish(LogRecord line) {
      boolean worse = line.getLevel().intValue() > Level.WARNING.intValue();
      if ((line.getThrown() != null || worse) && !LOG_CALLERS.contains(line.getLoggerName())) {
        kept.add(line);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void theHostsFreeMethodIsFree() throws Exception {
    HttpResponse<String> given = new Visitor(base).get("/shop/given");
    assertThat(given.statusCode()).isEqualTo(200);
    assertThat(given.body()).isEqualTo("given");
  }

  @Test
  void operatorsSeeCallsByTheirTemplatesWhateverServes() throws Exception {
    Visitor visitor = new Visitor(base);
    String wallet = "0x" + "4711".repeat(10);
    assertThat(visitor.get("/v1/prediction/venue-a/wallet/" + wallet).statusCode()).isEqualTo(402);
    assertThat(visitor.get("/v1/marketplace/cryptodata/made-up/47114711").statusCode())
        .isEqualTo(404);

    HttpResponse<String> ready = visitor.get("/health/ready");
    assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
    HttpResponse<String> figures = visitor.get("/metrics");
    assertThat(figures.statusCode()).as(figures.body()).isEqualTo(200);
    assertThat(figures.body())
        .contains("endpoint=\"/v1/marketplace/prediction/venue-a/wallet/{wallet}\"")
        .containsPattern("octroi_calls_total\\{.*status=\"4xx\"} [1-9]")
        .doesNotContain("47114711", "/shop/");
  }

  @Test
  void whereNothingIsConfiguredTheHomeSaysWhatToSetAndNothingElse() throws Exception {
    InvalidSettings why =
        new InvalidSettings(
            List.of(
                "gateway.upstream.prediction.base-address is not set; another program has it",
                "gateway.database.url (context parameter): 'jdbc:h2:mem:secret' does not do"));
    try (JettyHost unset =
        JettyHost.start(context -> servlet(new UnsetApplication(why), context))) {
      Visitor visitor = new Visitor(unset.base());
      HttpResponse<String> home = visitor.get("/");
      assertThat(home.statusCode()).isEqualTo(503);
      assertThat(home.body())
          .contains("base-address is not set; another program has it", "gateway.database.url: ")
          .doesNotContain("secret");
      HttpResponse<String> read = visitor.get("/api/v1/prediction/markets");
      assertThat(read.statusCode()).isEqualTo(503);
      assertThat(read.body()).startsWith("{\"error\":{\"code\":\"not_configured\"");
      assertThat(read.headers().firstValue("X-Request-Id")).isPresent();
      HttpResponse<String> live = visitor.get("/health/live");
      assertThat(live.statusCode()).isEqualTo(200);
      assertThat(live.body()).isEqualTo("{\"status\":\"live\"}");
      HttpResponse<String> ready = visitor.get("/health/ready");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body())
          .startsWith("{\"status\":\"not_ready\",\"checks\":[{\"name\":\"settings\"")
          .doesNotContain("secret");
      for (HttpResponse<String> answer : List.of(live, ready)) {
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
      }
    }
  }
}
