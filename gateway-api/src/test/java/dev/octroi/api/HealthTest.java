package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.api.health.Readiness.HealthCheck;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What load balancers and orchestrators are told. */
class HealthTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final Duration SOON = Duration.ofSeconds(20);

  private static GatewayHost checking(HealthCheck.Probe probe) {
    HealthCheck check = new HealthCheck("cellar", "Look into the cellar.", probe);
    return GatewayHost.with(Map.of(), builder -> builder.check(check));
  }

  private static HttpResponse<String> ready(GatewayHost host) {
    return host.http().get("/health/ready");
  }

  private static JsonNode check(HttpResponse<String> answer, String name) {
    for (JsonNode check : Admin.json(answer.body()).path("checks")) {
      if (check.path("name").asText().equals(name)) {
        return check;
      }
    }
    throw new AssertionError(name + " is not in " + answer.body());
  }

  @Test
  void aGatewayThatServesIsLiveAndReady() {
    try (GatewayHost host = new GatewayHost(Map.of())) {
      assertThat(host.http().get("/health/live").body()).isEqualTo("{\"status\":\"live\"}");
      HttpResponse<String> ready = ready(host);
      assertThat(ready.statusCode()).isEqualTo(200);
      assertThat(ready.headers().firstValue("Cache-Control")).contains("no-store");
      assertThat(Admin.json(ready.body()).path("status").asText()).isEqualTo("ready");
      for (String name : new String[] {"database", "ledger", "facilitator"}) {
        assertThat(check(ready, name).path("status").asText()).isEqualTo("ok");
      }
    }
  }

  @Test
  void probesAreNeverTooManyAndOtherMethodsAreNone() {
    try (GatewayHost host = new GatewayHost(Map.of("gateway.limits.unpaid-per-minute", "1"))) {
      for (int i = 0; i < 20; i++) {
        assertThat(ready(host).statusCode()).isEqualTo(200);
        assertThat(host.http().get("/health/live").statusCode()).isEqualTo(200);
      }
      var post = host.http().request("/health/ready").POST(BodyPublishers.noBody()).build();
      assertThat(host.http().send(post).statusCode()).isEqualTo(405);
      var head =
          host.http().request("/health/ready").method("HEAD", BodyPublishers.noBody()).build();
      assertThat(host.http().send(head).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void whatIsNotWellIsNamedWithWhatToDoAndNothingElse() {
    try (GatewayHost host =
        checking(
            () -> {
              throw new SQLException("password hunter2 refused");
            })) {
      HttpResponse<String> answer = ready(host);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(Admin.json(answer.body()).path("status").asText()).isEqualTo("not_ready");
      assertThat(check(answer, "cellar").path("todo").asText()).isEqualTo("Look into the cellar.");
      assertThat(check(answer, "database").path("status").asText()).isEqualTo("ok");
      assertThat(answer.body()).doesNotContain("hunter2", "SQLException");
      assertThat(host.http().get("/health/live").statusCode()).isEqualTo(200);
      assertThat(host.paid(READ).status()).isEqualTo(200);
    }
  }

  @Test
  void aCheckThatHangsIsWaitedForOnceAndFails() {
    CountDownLatch opened = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    try (GatewayHost host =
        checking(
            () -> {
              begun.incrementAndGet();
              opened.await();
              return true;
            })) {
      assertThat(ready(host).statusCode()).isEqualTo(503);
      HttpResponse<String> answer = ready(host);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(check(answer, "cellar").path("todo").asText())
          .startsWith("It did not answer within 900 ms")
          .doesNotContain("Look into the cellar");
      assertThat(begun).hasValue(1);
      opened.countDown();
      await().atMost(SOON).until(() -> ready(host).statusCode() == 200);
    }
  }

  @Test
  void manyProbesLookOnce() {
    AtomicInteger looks = new AtomicInteger();
    try (GatewayHost host = checking(() -> looks.incrementAndGet() > 0)) {
      for (int i = 0; i < 100; i++) {
        assertThat(ready(host).statusCode()).isEqualTo(200);
      }
      assertThat(looks.get()).isLessThan(20);
    }
  }

  @Test
  void aDrainingNodeIsNotReadyAndServesWhatComes() {
    try (GatewayHost host = new GatewayHost(Map.of())) {
      assertThat(ready(host).statusCode()).isEqualTo(200);
      host.gateway().drain();
      HttpResponse<String> answer = ready(host);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(Admin.json(answer.body()).path("status").asText()).isEqualTo("draining");
      assertThat(host.http().get("/health/live").statusCode()).isEqualTo(200);
      assertThat(host.paid(READ).status()).isEqualTo(200);
    }
  }

  @Test
  void anOperatorDrainsANodeAndTakesItBack() {
    try (Admin admin = new Admin(Map.of())) {
      assertThat(admin.get("node").path("draining").asBoolean(true)).isFalse();
      assertThat(admin.get("node").path("signatures").asText()).isEqualTo("native secp256k1");
      assertThat(admin.post("node/drain", "{}").path("draining").asBoolean()).isTrue();
      HttpResponse<String> answer = ready(admin.host());
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(Admin.json(answer.body()).path("status").asText()).isEqualTo("draining");
      assertThat(admin.host().paid(READ).status()).isEqualTo(200);

      JsonNode back = admin.post("node/resume", "{}");
      assertThat(back.path("draining").asBoolean(true)).isFalse();
      assertThat(back.path("node").asText()).isNotEmpty();
      assertThat(ready(admin.host()).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void nobodyElseDrainsANode() {
    try (Admin admin = new Admin(Map.of())) {
      for (String call : new String[] {"drain", "resume"}) {
        assertThat(admin.send("POST", "/admin/v1/node/" + call, "no-operator", "{}").statusCode())
            .isEqualTo(401);
      }
      assertThat(ready(admin.host()).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void anOperatorCannotTakeBackTheEndOfAProcess() {
    try (Admin admin = new Admin(Map.of())) {
      admin.host().gateway().drain();
      assertThat(admin.post("node/resume", "{}").path("draining").asBoolean()).isTrue();
      assertThat(ready(admin.host()).statusCode()).isEqualTo(503);
    }
  }

  @Test
  void aCheckThatIsWellAgainMakesTheNodeReadyAgain() {
    AtomicBoolean well = new AtomicBoolean();
    try (GatewayHost host = checking(well::get)) {
      assertThat(ready(host).statusCode()).isEqualTo(503);
      well.set(true);
      await().atMost(SOON).until(() -> ready(host).statusCode() == 200);
    }
  }

  @Test
  void aFacilitatorThatCannotBeReachedMakesTheNodeUnready() {
    Map<String, String> remote =
        Map.of(
            "gateway.payments.mode", "remote",
            "gateway.payments.pay-to", "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
            "gateway.facilitator.urls", "http://127.0.0.1:1");
    try (GatewayHost host = new GatewayHost(remote)) {
      await().atMost(SOON).until(() -> ready(host).statusCode() == 503);
      JsonNode check = check(ready(host), "facilitator");
      assertThat(check.path("status").asText()).isEqualTo("failed");
      assertThat(check.path("todo").asText()).contains("facilitator").doesNotContain("127.0.0.1");
    }
  }
}
