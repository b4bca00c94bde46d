package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.octroi.api.OtlpReceiver.Received;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Calls as a receiver of traces sees them. */
class TracesTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";
  private static final Duration SOON = Duration.ofSeconds(20);

  private static GatewayHost tracing(OtlpReceiver receiver) {
    return new GatewayHost(
        Map.of(
            "gateway.traces.endpoint", receiver.endpoint().toString(),
            "gateway.traces.authorization", "Bearer of-the-receiver",
            "gateway.traces.service", "toll-house"));
  }

  private static HttpResponse<String> pay(GatewayHost host, String flags) {
    return host.http()
        .send(
            host.http()
                .request(READ)
                .header("traceparent", "00-" + TRACE + "-" + PARENT + "-" + flags)
                .header("PAYMENT-SIGNATURE", host.payment(READ))
                .build());
  }

  private static Received named(List<Received> spans, String name) {
    return spans.stream()
        .filter(span -> span.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not among " + spans));
  }

  @Test
  void aPaidCallIsASpanWithItsPaymentAndUpstreamBelow() {
    try (OtlpReceiver receiver = new OtlpReceiver();
        GatewayHost host = tracing(receiver)) {
      assertThat(pay(host, "01").statusCode()).isEqualTo(200);
      await().atMost(SOON).until(() -> receiver.of(TRACE).size() >= 5);

      List<Received> spans = receiver.of(TRACE);
      Received call = named(spans, "GET " + READ);
      assertThat(call.parent()).isEqualTo(PARENT);
      assertThat(call.service()).isEqualTo("toll-house");
      assertThat(call.attributes())
          .containsEntry("http.route", READ)
          .containsEntry("http.response.status_code", "200")
          .containsEntry("octroi.group", "cryptodata")
          .containsEntry("octroi.outcome", "settled");
      assertThat(named(spans, "payment verify").attributes())
          .containsEntry("octroi.outcome", "valid");
      assertThat(named(spans, "payment claim").attributes())
          .containsEntry("octroi.outcome", "claimed");
      assertThat(named(spans, "payment settle").attributes())
          .containsEntry("octroi.charge.dollars", "0.009500")
          .containsKey("octroi.transaction");
      Received upstream = named(spans, "GET cryptodata");
      assertThat(spans.stream().filter(span -> span != call))
          .allMatch(span -> span.parent().equals(call.id()));
      assertThat(host.vendor().headers("traceparent"))
          .containsExactly("00-" + TRACE + "-" + upstream.id() + "-01");
      assertThat(receiver.authorizations()).containsOnly("Bearer of-the-receiver");
    }
  }

  /** What is found in the one is found in the other. */
  @Test
  void theLogHasTheIdOfTheTraceAndTheTraceThatOfTheRequest() {
    Logger log = (Logger) LoggerFactory.getLogger("dev.octroi.access");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.setLevel(Level.INFO);
    log.addAppender(lines);
    try (OtlpReceiver receiver = new OtlpReceiver();
        GatewayHost host =
            new GatewayHost(
                Map.of(
                    "gateway.traces.endpoint",
                    receiver.endpoint().toString(),
                    "gateway.access-log",
                    "json"))) {
      String request = pay(host, "01").headers().firstValue("X-Request-Id").orElseThrow();
      ILoggingEvent line =
          await()
              .until(
                  () ->
                      List.copyOf(lines.list).stream()
                          .filter(one -> one.getFormattedMessage().contains(request))
                          .findFirst()
                          .orElse(null),
                  Objects::nonNull);
      assertThat(Admin.json(line.getFormattedMessage()).path("trace").asText()).isEqualTo(TRACE);
      assertThat(line.getMDCPropertyMap())
          .containsEntry("trace", TRACE)
          .containsEntry("request", request);
      await().atMost(SOON).until(() -> receiver.of(TRACE).size() >= 5);
      assertThat(named(receiver.of(TRACE), "GET " + READ).attributes())
          .containsEntry("octroi.request", request);
    } finally {
      log.detachAppender(lines);
    }
  }

  @Test
  void callersDoNotDecideWhatIsKept() {
    try (OtlpReceiver receiver = new OtlpReceiver();
        GatewayHost host = tracing(receiver)) {
      assertThat(pay(host, "00").statusCode()).isEqualTo(200);
      await().atMost(SOON).until(() -> !receiver.of(TRACE).isEmpty());
    }
  }

  @Test
  void aReceiverThatIsNotThereCostsNoCall() {
    Map<String, String> gone = Map.of("gateway.traces.endpoint", "http://127.0.0.1:1/v1/traces");
    try (GatewayHost host = new GatewayHost(gone)) {
      assertThat(host.paid(READ).status()).isEqualTo(200);
    }
  }

  @Test
  void withoutAReceiverNothingIsToldToUpstreams() {
    try (GatewayHost host = new GatewayHost(Map.of())) {
      assertThat(pay(host, "01").statusCode()).isEqualTo(200);
      assertThat(host.vendor().headers("traceparent")).isEmpty();
    }
  }
}
