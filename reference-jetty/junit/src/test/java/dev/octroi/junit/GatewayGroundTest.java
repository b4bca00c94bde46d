package dev.octroi.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.GatewayApplication;
import dev.octroi.payments.Usd;
import java.util.Map;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The whole gateway, on a chain other than the usual one. */
class GatewayGroundTest {

  @RegisterExtension
  static final PaidHost GATEWAY =
      PaidHost.serving(
          ground ->
              new GatewayApplication(
                  ground.gateway(
                      Map.of(
                          "gateway.payments.network", "eip155:84532",
                          "gateway.payments.asset", "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
                          "gateway.payments.asset-name", "USDC"),
                      gateway -> gateway.strict(true))),
          application -> new ServletContainer(ResourceConfig.forApplication(application)));

  @Test
  void aReadIsSoldFromTheSandboxUpstreams(Payer payer) {
    Answer answer = payer.get("/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT");

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.header("X-Sandbox")).isPresent();
    assertThat(answer.paid()).isEqualTo(Usd.parse("0.0095"));
    assertThat(payer.spent()).isEqualTo(Usd.parse("0.0095"));
  }
}
