package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.PaidAnswer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A line for every call. */
class AccessLogTest {

  private static final String READ = "/v1/marketplace/cryptodata/market/etf";

  private final Logger log = (Logger) LoggerFactory.getLogger("dev.octroi.access");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    log.setLevel(Level.INFO);
    log.addAppender(lines);
  }

  @AfterEach
  void leave() {
    log.detachAppender(lines);
  }

  private static GatewayHost logging(String form) {
    return new GatewayHost(Map.of("gateway.access-log", form));
  }

  private static HttpRequest.Builder named(GatewayHost host, String target, String id) {
    return host.http().request(target).header("X-Request-Id", id);
  }

  /** The lines of a request, which only this test's gateway can have written. */
  private List<ILoggingEvent> of(String id) {
    return List.copyOf(lines.list).stream()
        .filter(event -> event.getFormattedMessage().contains(id))
        .toList();
  }

  @Test
  void aPaidCallIsOneLineWithPayerPriceAndTransaction() {
    String id = UUID.randomUUID().toString();
    try (GatewayHost host = logging("json")) {
      String payment = host.payment(READ);
      HttpResponse<String> answer =
          host.http().send(named(host, READ, id).header("PAYMENT-SIGNATURE", payment).build());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("X-Request-Id")).contains(id);
      assertThat(of(id)).hasSize(1);
      ILoggingEvent event = of(id).get(0);
      JsonNode line = Admin.json(event.getFormattedMessage());
      assertThat(line.path("request").asText()).isEqualTo(id);
      assertThat(line.path("method").asText()).isEqualTo("GET");
      assertThat(line.path("endpoint").asText()).isEqualTo(READ);
      assertThat(line.path("group").asText()).isEqualTo("cryptodata");
      assertThat(line.path("status").asInt()).isEqualTo(200);
      assertThat(line.path("millis").isIntegralNumber()).isTrue();
      assertThat(line.path("payer").asText()).matches("0x[0-9a-fA-F]{40}");
      assertThat(line.path("price").asText()).isEqualTo("0.009500");
      assertThat(line.path("state").asText()).isEqualTo("settled");
      assertThat(line.path("transaction").asText()).startsWith("sandbox:");
      assertThat(event.getFormattedMessage())
          .contains(line.path("payment").asText())
          .doesNotContain(payment, "127.0.0.1");
      assertThat(event.getMDCPropertyMap()).containsEntry("request", id);
    }
  }

  @Test
  void queriesAndRefusedPathsStandInNoLine() {
    String id = UUID.randomUUID().toString();
    try (GatewayHost host = logging("json")) {
      host.http().send(named(host, READ + "?secret=hunter2", id + "-1").build());
      host.http().send(named(host, "/v1/marketplace/cryptodata/hunter2", id + "-2").build());
      host.http().send(named(host, READ + ";hunter2", id + "-3").build());
      assertThat(of(id)).hasSize(3);
      assertThat(of(id)).noneMatch(event -> event.getFormattedMessage().contains("hunter2"));
      assertThat(Admin.json(of(id + "-1").get(0).getFormattedMessage()).path("state").asText())
          .isEqualTo("none");
    }
  }

  @Test
  void forPeopleALineHasItsPartsInOrder() {
    String id = UUID.randomUUID().toString();
    try (GatewayHost host = logging("text")) {
      PaidAnswer answer = host.paid(named(host, READ, id).build());
      assertThat(answer.status()).isEqualTo(200);
      assertThat(of(id)).hasSize(2);
      assertThat(of(id).get(0).getFormattedMessage())
          .matches("\\S+Z " + id + " GET " + READ + " 402 \\d+ms - - none - -");
      assertThat(of(id).get(1).getFormattedMessage())
          .matches(
              "\\S+Z "
                  + id
                  + " GET "
                  + READ
                  + " 200 \\d+ms 0x\\S+ 0\\.009500 settled \\S+ sandbox:\\S+");
    }
  }

  @Test
  void nothingIsWrittenUnlessItIsAskedFor() {
    String id = UUID.randomUUID().toString();
    try (GatewayHost host = new GatewayHost(Map.of())) {
      assertThat(host.http().send(named(host, READ, id).build()).statusCode()).isEqualTo(402);
      assertThat(of(id)).isEmpty();
    }
  }
}
