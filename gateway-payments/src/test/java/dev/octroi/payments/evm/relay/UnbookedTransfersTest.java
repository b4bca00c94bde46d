package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.books.BookReport;
import dev.octroi.payments.books.BookReport.Difference;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.evm.chain.ChainEvidence;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.x402.PaymentPayload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Payments that count as not paid, while the chain has their transfers. */
@Tag("spec:money.5")
class UnbookedTransfersTest extends RelayFixture {

  private EvmFacilitator facilitator;
  private Evidence evidence;

  @BeforeEach
  void open() {
    facilitator = started(settings());
    evidence = new ChainEvidence(rpc(anvil.url()), FINALITY);
  }

  @Test
  void theBooksFindTheTransferOfAPaymentThatCountsAsFailedOrReleasedAndProofSettlesIt() {
    Claim failed = movedAndRecorded(new Settlement.Refused("invalid_exact_evm_transaction_failed"));
    Claim released = movedAndRecorded(new Settlement.Unsent("settlement_not_sent"));
    Claim unpaid = settling(payment(payer()));
    ledger.settled(unpaid, new Settlement.Refused("invalid_exact_evm_network_mismatch"));
    assertThat(earned()).isEqualTo(2 * PRICE);

    List<Difference> found = books().differences();

    assertThat(found).allMatch(difference -> difference.check().equals("transfer-not-booked"));
    assertThat(found)
        .extracting(Difference::subject)
        .containsExactlyInAnyOrder(failed.id().toString(), released.id().toString());

    for (Claim claim : List.of(failed, released)) {
      UnresolvedPayment payment = ledger.unresolved().find(claim.id()).orElseThrow();
      String transaction = evidence.transfer(payment).orElseThrow();
      assertThat(ledger.unresolved().close(payment, new Settlement.Settled(transaction))).isTrue();
      assertThat(ledger.unresolved().close(payment, new Settlement.Settled(transaction))).isFalse();
    }

    BookReport report = books();
    assertThat(report.differences()).isEmpty();
    assertThat(report.proven()).isEqualTo(2);
    assertThat(count("SELECT COUNT(*) FROM journal")).isEqualTo(2);
    assertThat(count("SELECT SUM(reserved) FROM book_account")).isZero();
  }

  /** The money moves on the chain, and the ledger hears something else. */
  private Claim movedAndRecorded(Settlement said) {
    PaymentPayload payment = payment(payer());
    Claim claim = settling(payment);
    assertThat(facilitator.settle(payment, terms())).isInstanceOf(Settlement.Settled.class);
    assertThat(ledger.settled(claim, said)).isTrue();
    return claim;
  }

  private BookReport books() {
    return new BookVerification(database, Map.of(NETWORK, evidence), Duration.ofDays(400), clock())
        .verify(Period.ALL, 10);
  }
}
