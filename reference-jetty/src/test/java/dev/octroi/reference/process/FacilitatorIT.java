package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.reference.Sandbox;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The built jar as a facilitator, and the built jar that is paid through one, by settings. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("spec:x402.facilitator.settle")
class FacilitatorIT {

  private static final String PAY_TO = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  private static final String TOKEN = "a-token-of-this-test";

  private Running facilitator;
  private String address;

  @BeforeAll
  void serveAFacilitator(@TempDir Path data) throws Exception {
    facilitator =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.facilitator.serve", "true")
            .set("gateway.facilitator.serve-token", TOKEN)
            .start();
    URI base = facilitator.awaitReady();
    address = base + (base.toString().endsWith("/") ? "facilitator" : "/facilitator");
  }

  @AfterAll
  void stop() {
    if (facilitator != null) {
      facilitator.close();
    }
  }

  @Test
  @Tag("spec:x402.client.typescript")
  void thePublishedServerSettlesThroughIt() throws Exception {
    NodeClients.install();

    JsonNode seen =
        NodeClients.run(Map.of("FACILITATOR_TOKEN", TOKEN), List.of("settle.mjs", address, PAY_TO));

    assertThat(seen.path("status").intValue()).as(seen.toString()).isEqualTo(200);
    assertThat(seen.path("body").textValue()).contains("42");
    JsonNode receipt = seen.path("receipt");
    assertThat(receipt.path("success").booleanValue()).isTrue();
    assertThat(receipt.path("payer").textValue())
        .isEqualToIgnoringCase(seen.path("payer").textValue());
    assertThat(seen.at("/again/transaction")).isEqualTo(receipt.path("transaction"));
    assertThat(seen.at("/supported/kinds/0/network").textValue()).isEqualTo("eip155:8453");
  }

  @Test
  void anotherGatewayIsPaidThroughIt(@TempDir Path data) throws Exception {
    NodeClients.install();
    try (Sandbox vendors = Sandbox.start();
        Running gateway = paidThroughIt(data, vendors).start()) {
      URI base = gateway.awaitReady();
      JsonNode paid =
          NodeClients.run(
              Map.of(),
              List.of("pay.mjs", base + "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT"));

      assertThat(paid.path("status").intValue()).as(paid.toString()).isEqualTo(200);
      assertThat(paid.at("/receipt/success").booleanValue()).isTrue();
      assertThat(gateway.said()).doesNotContain(TOKEN);
    }
  }

  /** Sandbox vendors stand beside sandbox money only, so that this gateway is given some. */
  private BuiltJar paidThroughIt(Path data, Sandbox vendors) throws Exception {
    BuiltJar jar =
        BuiltJar.quickIn(data, "--port", "0", "--data", data.toString())
            .set("gateway.payments.mode", "remote")
            .set("gateway.payments.pay-to", PAY_TO)
            .set("gateway.facilitator.urls", address)
            .set("gateway.facilitator.auth", "bearer")
            .environment("GATEWAY_FACILITATOR_TOKEN", TOKEN);
    for (Map.Entry<String, String> setting : vendors.settings().entrySet()) {
      jar = jar.set(setting.getKey(), setting.getValue());
    }
    return jar;
  }
}
