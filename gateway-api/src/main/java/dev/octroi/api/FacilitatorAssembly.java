package dev.octroi.api;

import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import java.time.Clock;
import java.util.List;

/** Chooses who verifies and settles, by {@code gateway.payments.mode}. */
record FacilitatorAssembly(GatewaySettings settings, Clock clock) {

  /** What forbids the start in this mode, one sentence each; empty if nothing does. */
  static List<String> problems(GatewaySettings settings) {
    PaymentSettings payments = settings.payments();
    boolean real = payments.mode() != PaymentSettings.Mode.SANDBOX;
    return real && payments.payTo().equals(PaymentSettings.NOBODY)
        ? List.of(
            "gateway.payments.pay-to is nobody's address: with real money, set it to your own")
        : List.of();
  }

  /**
   * The facilitators, one for each network that is accepted.
   *
   * @throws InvalidSettings if the mode cannot be had
   */
  List<Facilitator> facilitators() {
    return switch (settings.payments().mode()) {
      case SANDBOX -> List.of(sandbox());
      case REMOTE, CHAIN ->
          throw new InvalidSettings(
              List.of("gateway.payments.mode=" + settings.payments().mode() + " is not built yet"));
    };
  }

  private Facilitator sandbox() {
    return new SandboxFacilitator(localChecks()::verify, List.of(settings.payments().network()));
  }

  private ExactEvmVerifier localChecks() {
    return new ExactEvmVerifier(clock, Signatures.fastest());
  }
}
