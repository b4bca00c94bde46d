package dev.octroi.examples.shop;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.SandboxFacilitator;
import dev.octroi.payments.ledger.AnswerVault;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.LedgerSettings;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import dev.octroi.payments.setup.Payments;
import dev.octroi.payments.x402.PaymentOption;
import java.time.Clock;
import java.util.List;
import javax.sql.DataSource;

/**
 * How the shop is paid: in worthless money, until another facilitator takes the place of the
 * sandbox's.
 */
final class ShopMoney {

  private static final EvmToken TOKEN = EvmToken.BASE_USDC;
  private static final int SECONDS_TO_PAY = 300;

  private ShopMoney() {}

  /**
   * Opens the ledger.
   *
   * @param answerKey 32 bytes that seal stored answers, the same at every start
   * @param payTo the account that is paid
   */
  static Payments open(DataSource database, byte[] answerKey, EvmAddress payTo) {
    Clock clock = Clock.systemUTC();
    ExactEvmVerifier verifier = new ExactEvmVerifier(clock, Signatures.fastest());
    Facilitator facilitator = new SandboxFacilitator(verifier::verify, List.of(TOKEN.network()));
    PaymentOption option = TOKEN.payableTo(payTo, SECONDS_TO_PAY);
    AnswerVault vault = new AnswerVault(answerKey);
    LedgerSettings settings = LedgerSettings.of("shop-1");
    Ledger ledger = new JdbcLedger(database, vault, settings, clock);
    return Payments.builder()
        .ledger(ledger)
        .facilitator(facilitator) // verifies and settles
        .accept(option) // network, token, recipient
        .strict(true) // nothing is free by omission
        .build();
  }
}
