package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the operator sees of effects that cannot be undone, and how he closes one. */
class EffectsTest {

  private static final String TOKEN = "the-operators-token-of-this-test";
  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  private GatewayHost host;

  /** Does nothing, and writes what the operator says was done. */
  private static final class Barber implements EffectVendor {

    @Override
    public String kind() {
      return "haircut";
    }

    @Override
    public Attempt attempt(Effects.Effect effect) {
      return new Attempt.Unknown();
    }

    @Override
    public Attempt ask(Effects.Effect effect) {
      return new Attempt.Unknown();
    }

    @Override
    public void record(Handle handle, Effects.Effect effect, Attempt.Done done) {
      handle.execute("INSERT INTO haircut VALUES (?, ?)", effect.id(), done.reference());
    }
  }

  @BeforeEach
  void start() throws SQLException {
    host = new GatewayHost(Map.of("gateway.admin.token", TOKEN));
    host.change("CREATE TABLE haircut (id UUID PRIMARY KEY, reference VARCHAR(64))");
    host.gateway().runtime().groups().context().effects(new Barber());
  }

  @AfterEach
  void stop() {
    host.close();
  }

  @Test
  @Tag("spec:operator.effects")
  @Tag("spec:money.6")
  void whatWasDoneAfterAllIsRecorded() throws SQLException {
    String effect = effect("haircut", "2026-01-01 00:00:00+00:00");
    assertThat(send("/admin/v1/effects", null).body())
        .contains("\"id\":\"" + effect + "\"", "\"outcome\":\"unknown\"");

    HttpResponse<String> closed =
        close(effect, "{\"outcome\":\"done\",\"reference\":\"H1\",\"reason\":\"seen\"}");

    assertThat(closed.body()).contains("\"outcome\":\"done\"", "\"reference\":\"H1\"");
    assertThat(host.count("SELECT count(*) FROM haircut WHERE reference = 'H1'")).isEqualTo(1);
    assertThat(host.count("SELECT count(*) FROM refund")).isZero();
    assertThat(send("/admin/v1/effects", null).body()).isEqualTo("{\"data\":[]}");
    assertThat(send("/admin/v1/effects?outcome=done", null).body()).contains(effect);
    assertThat(close(effect, "{\"outcome\":\"not_done\",\"reason\":\"no\"}").statusCode())
        .isEqualTo(409);
  }

  @Test
  @Tag("spec:operator.effects")
  @Tag("spec:money.6")
  void whatWasNotDoneIsRefunded() throws SQLException {
    String effect = effect("haircut", "2026-01-01 00:00:00+00:00");

    HttpResponse<String> closed = close(effect, "{\"outcome\":\"not_done\",\"reason\":\"bald\"}");

    assertThat(closed.body()).contains("\"outcome\":\"not_done\"", "\"note\":\"bald\"");
    assertThat(host.count("SELECT count(*) FROM refund WHERE state = 'PAID'")).isEqualTo(1);
    assertThat(host.count("SELECT count(*) FROM haircut")).isZero();
  }

  @Test
  @Tag("spec:operator.effects")
  void whatMayBeUnderWayOrIsNobodysIsLeftOpen() throws SQLException {
    String running = effect("haircut", "2999-01-01 00:00:00+00:00");
    String foreign = effect("shave", "2026-01-01 00:00:00+00:00");
    String notDone = "{\"outcome\":\"not_done\",\"reason\":\"no\"}";

    assertThat(close(running, notDone).statusCode()).isEqualTo(409);
    assertThat(close(foreign, notDone).statusCode()).isEqualTo(409);
    assertThat(close(UUID.randomUUID().toString(), notDone).statusCode()).isEqualTo(404);
    assertThat(close(running, "{\"outcome\":\"not_done\"}").statusCode()).isEqualTo(400);
    assertThat(close(running, "{\"outcome\":\"done\",\"reason\":\"x\"}").statusCode())
        .isEqualTo(400);
    assertThat(send("/admin/v1/effects?outcome=perhaps", null).statusCode()).isEqualTo(400);
    assertThat(host.count("SELECT count(*) FROM effect WHERE outcome = 'UNKNOWN'")).isEqualTo(2);
  }

  @Test
  @Tag("spec:operator.token")
  void nobodyElseSeesEffects() {
    HttpRequest request = host.http().request("/admin/v1/effects").build();

    assertThat(host.http().send(request).statusCode()).isEqualTo(401);
  }

  /** One of a payment that has settled, left open by a call of that time. */
  private String effect(String kind, String begun) throws SQLException {
    String payment =
        host.paid(READ)
            .headers()
            .firstValue("X-PAYMENT-RECEIPT")
            .orElseThrow()
            .replace("sandbox:", "");
    String id = UUID.randomUUID().toString();
    host.change(
        "INSERT INTO effect (id, payment_id, kind, intent, vendor_key, outcome, begun_at) VALUES ('"
            + String.join("', '", id, payment, kind, "short", "octroi-" + id)
            + "', 'UNKNOWN', '"
            + begun
            + "')");
    return id;
  }

  private HttpResponse<String> close(String effect, String body) {
    return send("/admin/v1/effects/" + effect + "/close", body);
  }

  private HttpResponse<String> send(String path, String body) {
    HttpRequest.Builder request =
        host.http()
            .request(path)
            .header("Authorization", "Bearer " + TOKEN)
            .header("Content-Type", "application/json");
    return host.http()
        .send(
            (body == null ? request : request.POST(HttpRequest.BodyPublishers.ofString(body)))
                .build());
  }
}
