package dev.octroi.payments.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.PaymentsMisconfigured;
import dev.octroi.payments.body.BodyPace;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.flow.CallLimits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaymentsTest {

  @Test
  void everythingThatIsWrongIsReportedAtOnce() {
    Facilitator facilitator =
        new SandboxFacilitator(
            (payment, terms) -> new Verification.Invalid("never", null), List.of("eip155:1"));
    Payments.Builder builder =
        Payments.builder()
            .facilitator(facilitator)
            .facilitator(facilitator)
            .accept(
                EvmToken.BASE_USDC.payableTo(
                    EvmAddress.parse("0x209693bc6afc0c5328ba36faf03c514ef312287c"), 300))
            .publicBaseUrl(URI.create("/relative"))
            .limits(new CallLimits(Duration.ZERO, 1, 1, BodyPace.DEFAULT, 1, 1, Path.of(".")));

    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            PaymentsMisconfigured.class,
            wrong ->
                assertThat(wrong.problems())
                    .containsExactlyInAnyOrder(
                        "two facilitators for eip155:1: which one is to settle?",
                        "the public base URL is absolute, such as https://api.example.com",
                        "a call may take at least a second",
                        "the memory for request bodies holds at least one of them",
                        "payments need a ledger",
                        "no facilitator settles on eip155:8453, which is accepted"));
  }

  @Test
  void atLeastOneWayToPayIsNeeded() {
    assertThatThrownBy(() -> Payments.builder().build())
        .isInstanceOf(PaymentsMisconfigured.class)
        .hasMessageContaining("at least one way to pay is needed")
        .hasMessageContaining("payments need a ledger");
  }
}
