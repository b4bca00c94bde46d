package dev.octroi.payments.evm.relay;

import static org.awaitility.Awaitility.await;

import dev.octroi.payments.books.BookReport;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.Payouts.Payout;
import dev.octroi.payments.ledger.Refund;
import dev.octroi.payments.ledger.Refunds.RefundResult;
import dev.octroi.payments.treasury.RefundPayments;
import dev.octroi.payments.treasury.Treasury;
import dev.octroi.payments.x402.PaymentOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;

/** A treasury with a wallet of its own, a payer, and a clock that may run ahead of the chain's. */
abstract class RefundFixture extends PermitFixture {

  static final PaymentOption USUAL = EvmToken.BASE_USDC.payableTo(SELLER, 300);

  final AtomicLong ahead = new AtomicLong();
  final Wallet wallet = Wallet.generate();
  EvmFacilitator facilitator;

  @BeforeEach
  void open() {
    facilitator = started(settings());
  }

  @Override
  Clock clock() {
    InstantSource source = () -> Instant.now().plusSeconds(ahead.get());
    return source.withZone(ZoneOffset.UTC);
  }

  /** How the gateway is paid in what the treasury gives back. */
  abstract List<PaymentOption> refunded();

  /** By what the treasury signs for a refund, as a payment's key has it. */
  abstract String nonce(Refund refund);

  RefundPayments payments(EvmFacilitator relay) {
    return new RefundPayments(parts(Optional.of(new Treasury(wallet, refunded(), relay))), clock());
  }

  RefundPayments.Parts parts(Optional<Treasury> treasury) {
    return new RefundPayments.Parts(ledger.refunds().payouts(), NETWORK, evidence(), treasury);
  }

  Refund owed(Claim settled, long amount) {
    RefundResult result =
        ledger.refunds().ask(settled.id(), OptionalLong.of(amount), "it was wrong", "r");
    return ((RefundResult.Noted) result).refund();
  }

  /** As a node does it that dies before it stores a transaction. */
  Payout begin(Refund refund, Instant end) {
    return ledger
        .refunds()
        .payouts()
        .begin(
            refund.id(),
            new PaymentKey(NETWORK, wallet.address().lowerCase(), nonce(refund)),
            end,
            Instant.EPOCH)
        .orElseThrow();
  }

  /** As the reconciler does it, again and again. */
  void awaitPaid(Refund refund) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              payments(facilitator).run();
              ahead.addAndGet(1);
              return found(refund).state() == Refund.State.PAID;
            });
  }

  Refund found(Refund refund) {
    return ledger.refunds().find(refund.id()).orElseThrow();
  }

  BookReport books() {
    return new BookVerification(
            database, Map.of(NETWORK, evidence()), Duration.ofDays(400), clock())
        .verify(Period.ALL, 10);
  }

  /** Eight runs, of two nodes in turns. */
  List<Callable<Object>> manyRuns() {
    EvmFacilitator other = started(settings());
    List<Callable<Object>> runs = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      runs.add(Executors.callable(payments(i % 2 == 0 ? facilitator : other)));
    }
    return runs;
  }
}
