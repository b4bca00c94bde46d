package dev.octroi.api;

import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.docs.DocsServices;
import dev.octroi.api.docs.SandboxPayer;
import dev.octroi.api.openapi.ApiDocument;
import dev.octroi.api.openapi.Frontispiece;
import dev.octroi.api.operator.OperatorServices;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.api.settings.PaymentSettings;
import dev.octroi.payments.facilitator.Facilitator;
import java.util.Optional;

/** Lays out the documentation; nothing of it is made before somebody asks for it. */
record DocsAssembly(
    GatewaySettings settings,
    PaymentRuntime runtime,
    OperatorServices operators,
    Catalogue catalogue) {

  DocsServices services() {
    boolean sandbox = settings.payments().mode() == PaymentSettings.Mode.SANDBOX;
    return new DocsServices(
        new ApiDocument(
            GatewayApplication.resources(),
            operators.prices(),
            catalogue,
            new Frontispiece(sandbox, settings.http().publicUrl())),
        sandbox ? payer() : Optional.empty());
  }

  /** Only where every payment ends in the ledger: a signature is worth nothing elsewhere. */
  private Optional<SandboxPayer> payer() {
    return runtime.facilitators().stream().allMatch(Facilitator::settlesInLedger)
        ? Optional.of(new SandboxPayer(settings.payments().payTo(), operators.clock()))
        : Optional.empty();
  }
}
