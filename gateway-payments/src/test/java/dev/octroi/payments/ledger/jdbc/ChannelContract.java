package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.ChannelUse.Deposit;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.ledger.Channels.ChannelRefundResult;
import dev.octroi.payments.ledger.Channels.ChannelState;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.ClaimResult.Claimed;
import dev.octroi.payments.ledger.ClaimResult.Failed;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.jdbc.FlakyDatabase.NextCommit;
import dev.octroi.payments.ledger.jdbc.Locks.Payer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What calls that are paid out of a channel do to it. */
abstract class ChannelContract extends LedgerContract {

  private static final long PRICE = 10_000;
  private static final long DEPOSIT = 100_000;

  private final String payer = Sample.random(20);
  private final String channel = Sample.random(32);

  ChannelContract(TestDatabase kind) {
    super(kind);
  }

  /** A call at a price whose payer counts so much as charged before. */
  private ClaimRequest call(long before, long price, Optional<Deposit> deposit, String path) {
    byte[] signature = ("signed " + (before + price)).getBytes(StandardCharsets.US_ASCII);
    return new ClaimRequest(
            new PaymentKey(Sample.NETWORK, channel, nonce(before, price, deposit)),
            new RequestBinding("GET", path, "", "00".repeat(32)),
            "11".repeat(32),
            price,
            Sample.ASSET,
            Sample.PAY_TO,
            Instant.parse("2030-01-01T00:00:00Z"),
            OptionalLong.empty(),
            Redelivery.STORED)
        .outOf(Optional.of(new ChannelUse(channel, payer, "terms", before, signature, deposit)));
  }

  private static String nonce(long before, long price, Optional<Deposit> deposit) {
    return ChannelNonce.key(
        BigInteger.valueOf(before + price),
        BigInteger.valueOf(price),
        deposit.map(put -> ChannelNonce.ofSalt(new BigInteger(put.nonce().substring(2), 16))));
  }

  private ClaimRequest call(long before) {
    return call(before, PRICE, Optional.empty(), "/read");
  }

  private ClaimRequest first() {
    return call(0, PRICE, Optional.of(new Deposit("0x01", DEPOSIT)), "/read");
  }

  private static Claim claimed(Ledger ledger, ClaimRequest request) {
    ClaimResult result = ledger.claim(request);
    assertThat(result).isInstanceOf(Claimed.class);
    return ((Claimed) result).claim();
  }

  private static void paid(Ledger ledger, ClaimRequest request) {
    charged(ledger, request, request.amount());
  }

  private static void charged(Ledger ledger, ClaimRequest request, long charge) {
    Claim claim = claimed(ledger, request);
    ledger.charge(claim, charge);
    assertThat(ledger.settleHere(claim, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    ledger.delivered(claim);
  }

  private ChannelState state() {
    return ledger.channels().find(Sample.NETWORK, channel).orElseThrow();
  }

  private long balance() {
    return ledger.sandboxBank().balance(Sample.NETWORK, payer, Sample.ASSET);
  }

  private long reserved(String owner) {
    return jdbi.withHandle(
        handle ->
            handle
                .createQuery("SELECT reserved FROM book_account WHERE owner = :owner")
                .bind("owner", KeyBytes.of(Sample.NETWORK, owner))
                .mapTo(Long.class)
                .one());
  }

  private static void assertRefused(ClaimResult result, String reason) {
    assertThat(result).isEqualTo(new Failed(reason));
  }

  @Test
  void callsArePaidOutOfWhatWasPutIn() {
    Claim first = claimed(ledger, first());
    assertThat(reserved(payer)).isEqualTo(DEPOSIT);
    assertThat(balance()).isEqualTo(START);
    assertBooksAgree();

    ledger.settleHere(first, Sample.ANSWER);
    paid(ledger, call(PRICE));

    assertThat(balance()).isEqualTo(START - DEPOSIT);
    assertThat(reserved(payer)).isZero();
    assertThat(reserved(channel)).isZero();
    assertThat(state().left()).hasValue(DEPOSIT - 2 * PRICE);
    assertThat(state().charged()).isEqualTo(2 * PRICE);
    assertThat(state().payer()).isEqualTo(payer);
    assertThat(state().signature()).asString().isEqualTo("signed 20000");
    assertBooksAgree();
  }

  @Test
  void aVoucherIsBuiltOnWhatWasCharged() {
    charged(ledger, first(), 7_000);

    assertRefused(ledger.claim(call(PRICE)), ChannelUse.MISMATCH);
    assertRefused(ledger.claim(call(0)), ChannelUse.MISMATCH);
    assertRefused(ledger.claim(call(ChannelUse.IMPOSSIBLE)), ChannelUse.MISMATCH);
    assertThat(state().charged()).isEqualTo(7_000);
    assertThat(state().signed()).isEqualTo(PRICE);
    paid(ledger, call(7_000, 1_000, Optional.empty(), "/cheap"));
    assertThat(state().charged()).isEqualTo(8_000);
    assertThat(state().signed()).as("the higher voucher is kept").isEqualTo(PRICE);
    assertThat(state().signature()).asString().isEqualTo("signed 10000");
    paid(ledger, call(8_000));
    assertThat(state().signed()).isEqualTo(18_000);
    assertThat(state().signature()).asString().isEqualTo("signed 18000");
    assertBooksAgree();
  }

  /** A charge may leave the next voucher at the same sum. */
  @Test
  void aVoucherForTheSameSumPaysAnotherCall() {
    charged(ledger, first(), 7_000);

    paid(ledger, call(7_000, 3_000, Optional.empty(), "/cheap"));

    assertThat(state().charged()).isEqualTo(10_000);
    assertThat(state().signed()).isEqualTo(10_000);
  }

  @Test
  void anAnswerIsHadAgainByTheSameEnvelopeAlone() {
    Claim claim = claimed(ledger, first());
    ledger.settleHere(claim, Sample.ANSWER);
    ledger.unanswered(claim);

    assertThat(ledger.claim(first())).isInstanceOf(ClaimResult.Replay.class);
    ClaimRequest other = call(0, PRICE, first().channel().orElseThrow().deposit(), "/other");
    assertRefused(node("b").claim(other), ChannelUse.MISMATCH);
    assertThat(state().charged()).isEqualTo(PRICE);
  }

  @Test
  void anOldVoucherBuysNothingOnceItWasUsed() {
    paid(ledger, first());
    paid(ledger, call(PRICE));

    assertThat(ledger.claim(call(PRICE))).isInstanceOf(ClaimResult.Used.class);
    assertRefused(
        ledger.claim(call(PRICE, PRICE, Optional.empty(), "/other")), ChannelUse.MISMATCH);
    assertThat(state().charged()).isEqualTo(2 * PRICE);
  }

  @Test
  @Tag("spec:money.1")
  void ofAHundredCallsAtOnceOnTwoNodesOneRuns() throws Exception {
    paid(ledger, first());
    JdbcLedger other = node("b");

    List<ClaimResult> results =
        concurrently(
            100,
            i ->
                (i % 2 == 0 ? ledger : other)
                    .claim(call(PRICE, PRICE, Optional.empty(), "/read/" + i)));

    assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(1);
    assertThat(results).filteredOn(new Failed(ChannelUse.BUSY)::equals).hasSize(99);
    assertThat(reserved(channel)).isEqualTo(PRICE);
    assertBooksAgree();
  }

  /** Of different prices, so that their keys differ. */
  @Test
  void ofVouchersAtDifferentPricesOneRunsAtATime() throws Exception {
    paid(ledger, first());
    JdbcLedger other = node("b");

    List<ClaimResult> results =
        concurrently(
            20,
            i ->
                (i % 2 == 0 ? ledger : other)
                    .claim(call(PRICE, 100 + i, Optional.empty(), "/read")));

    assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(1);
    assertThat(results).filteredOn(new Failed(ChannelUse.BUSY)::equals).hasSize(19);
  }

  /** Calls that meet in one batch must not fail it. */
  @Test
  void aChannelIsReadOnceForAllCallsOfABatch() throws Exception {
    paid(ledger, first());
    Payer owner = new Payer(Sample.NETWORK, channel);

    try (Connection connection = database.getConnection()) {
      assertThat(ChannelRows.read(connection, Dialect.of(database), List.of(owner, owner)).values())
          .singleElement()
          .extracting(ChannelRows.Row::charged)
          .isEqualTo(PRICE);
    }
  }

  /** Its first calls meet where the channel is not known yet. */
  @Test
  void ofTwentyFirstCallsOneOpensTheChannel() throws Exception {
    JdbcLedger other = node("b");

    List<ClaimResult> results =
        concurrently(
            20,
            i ->
                (i % 2 == 0 ? ledger : other)
                    .claim(
                        call(
                            0,
                            PRICE,
                            Optional.of(new Deposit("0x0" + (1 + i % 9), DEPOSIT)),
                            "/read/" + i)));

    assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(1);
    assertThat(results).filteredOn(new Failed(ChannelUse.BUSY)::equals).hasSize(19);
    assertThat(reserved(payer)).isEqualTo(DEPOSIT);
    assertBooksAgree();
  }

  @Test
  void aReleasedCallFreesItsChannelAndChargesNothing() {
    Claim claim = claimed(ledger, first());
    assertRefused(node("b").claim(call(0, 500, Optional.empty(), "/cheap")), ChannelUse.BUSY);

    assertThat(ledger.release(claim)).isTrue();

    assertThat(reserved(payer)).isZero();
    assertThat(balance()).isEqualTo(START);
    assertThat(state().charged()).isZero();
    assertThat(state().signature()).isNull();
    assertThat(state().left()).hasValue(0);
    paid(ledger, first());
    assertThat(state().charged()).isEqualTo(PRICE);
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.2")
  void aNodeThatDiesWithAVoucherLeavesItsChannelFree() {
    paid(ledger, first());
    JdbcLedger dying = node("b");
    Claim lost = claimed(dying, call(PRICE));
    assertRefused(ledger.claim(call(PRICE, PRICE, Optional.empty(), "/other")), ChannelUse.BUSY);
    expire("b");

    JdbcLedger heir = node("c");

    paid(heir, call(PRICE, PRICE, Optional.empty(), "/other"));
    assertThat(dying.settleHere(lost, Sample.ANSWER)).isInstanceOf(Settlement.Unknown.class);
    assertThat(state().charged()).isEqualTo(2 * PRICE);
    assertThat(reserved(channel)).isZero();
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.2")
  void aNodeThatDiesWithADepositLeavesIt() {
    JdbcLedger dying = node("b");
    claimed(dying, first());
    expire("b");

    JdbcLedger heir = node("c");

    assertThat(reserved(payer)).isZero();
    paid(heir, first());
    assertThat(state().left()).hasValue(DEPOSIT - PRICE);
    assertBooksAgree();
  }

  @Test
  void aChannelPaysNoMoreThanItHolds() {
    assertRefused(ledger.claim(call(0)), ChannelUse.EXCEEDS);
    paid(ledger, first());

    assertRefused(
        ledger.claim(call(PRICE, DEPOSIT - PRICE + 1, Optional.empty(), "/dear")),
        ChannelUse.EXCEEDS);
    paid(ledger, call(PRICE, DEPOSIT - PRICE, Optional.empty(), "/dear"));
    assertThat(state().left()).hasValue(0);
    assertBooksAgree();
  }

  @Test
  void aPayerPutsInWhatItHas() {
    Optional<Deposit> tooMuch = Optional.of(new Deposit("0x01", START + 1));
    Optional<Deposit> all = Optional.of(new Deposit("0x02", START));

    assertRefused(ledger.claim(call(0, PRICE, tooMuch, "/read")), ChannelUse.NO_FUNDS);
    paid(ledger, call(0, PRICE, all, "/read"));

    assertThat(balance()).isZero();
    assertRefused(
        ledger.claim(call(PRICE, PRICE, Optional.of(new Deposit("0x03", 1)), "/read")),
        ChannelUse.NO_FUNDS);
    assertBooksAgree();
  }

  @Test
  void aDepositIsTakenOnce() {
    Optional<Deposit> deposit = Optional.of(new Deposit("0x01", DEPOSIT));
    paid(ledger, call(0, PRICE, deposit, "/read"));

    assertRefused(ledger.claim(call(PRICE, PRICE, deposit, "/read")), ChannelUse.NO_DEPOSIT);
    paid(ledger, call(PRICE, PRICE, Optional.of(new Deposit("0x02", DEPOSIT)), "/read"));

    assertThat(state().left()).hasValue(2 * DEPOSIT - 2 * PRICE);
    assertThat(balance()).isEqualTo(START - 2 * DEPOSIT);
    assertBooksAgree();
  }

  @Test
  void whatIsLeftGoesBack() {
    paid(ledger, first());

    assertThat(refund(0, OptionalLong.empty()))
        .isEqualTo(new ChannelRefundResult.Refused(ChannelUse.MISMATCH));
    assertThat(refund(PRICE, OptionalLong.of(0)))
        .isEqualTo(new ChannelRefundResult.Refused(ChannelUse.NO_AMOUNT));
    assertThat(refunded(PRICE, OptionalLong.of(30_000))).isEqualTo(30_000);
    assertThat(balance()).isEqualTo(START - DEPOSIT + 30_000);
    assertThat(refunded(PRICE, OptionalLong.of(DEPOSIT))).isEqualTo(DEPOSIT - PRICE - 30_000);
    assertThat(refund(PRICE, OptionalLong.empty()))
        .isEqualTo(new ChannelRefundResult.Refused(ChannelUse.NOTHING_LEFT));
    assertThat(balance()).isEqualTo(START - PRICE);
    assertThat(state().refunds()).isEqualTo(2);
    assertRefused(ledger.claim(call(PRICE)), ChannelUse.EXCEEDS);
    assertBooksAgree();
  }

  /** The seller gives back what a call was charged: into the channel, as its payer is that. */
  @Test
  void whatACallWasChargedGoesBackIntoItsChannel() {
    Claim claim = claimed(ledger, first());
    ledger.settleHere(claim, Sample.ANSWER);

    ledger.refunds().ask(claim.id(), OptionalLong.of(4_000), "it was wrong", "r1");

    assertThat(state().left()).hasValue(DEPOSIT - PRICE + 4_000);
    assertThat(state().charged()).isEqualTo(PRICE);
    assertBooksAgree();
  }

  /** So that its payer has credit, and may sign in. */
  @Test
  void whoPaidOutOfAChannelHasPaid() {
    Claim claim = claimed(ledger, first());
    assertThat(ledger.history(Sample.NETWORK, payer).hasPaid()).isFalse();

    ledger.settleHere(claim, Sample.ANSWER);

    assertThat(ledger.history(Sample.NETWORK, payer).hasPaid()).isTrue();
  }

  @Test
  void nothingGoesBackWhileACallIsOpen() {
    paid(ledger, first());
    Claim open = claimed(ledger, call(PRICE));

    assertThat(refund(PRICE, OptionalLong.empty()))
        .isEqualTo(new ChannelRefundResult.Refused(ChannelUse.BUSY));
    ledger.settleHere(open, Sample.ANSWER);
    assertThat(refunded(2 * PRICE, OptionalLong.empty())).isEqualTo(DEPOSIT - 2 * PRICE);
  }

  @Test
  void anUnknownChannelHasNothingLeft() {
    assertThat(refund(0, OptionalLong.empty()))
        .isEqualTo(new ChannelRefundResult.Refused(ChannelUse.NOTHING_LEFT));
    assertThat(ledger.channels().find(Sample.NETWORK, channel)).isEmpty();
  }

  private ChannelRefundResult refund(long charged, OptionalLong amount) {
    return ledger.channels().refund(Sample.NETWORK, channel, charged, amount);
  }

  private long refunded(long charged, OptionalLong amount) {
    ChannelRefundResult result = refund(charged, amount);
    assertThat(result).isInstanceOf(ChannelRefundResult.Refunded.class);
    return ((ChannelRefundResult.Refunded) result).amount();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitOfARefundGivesBackOnce(NextCommit what) {
    paid(ledger, first());
    database.nextCommit(what);

    assertThat(refunded(PRICE, OptionalLong.of(30_000))).isEqualTo(30_000);

    assertThat(balance()).isEqualTo(START - DEPOSIT + 30_000);
    assertThat(state().refunds()).isEqualTo(1);
    database.nextCommit(what);
    assertThat(refunded(PRICE, OptionalLong.empty())).isEqualTo(DEPOSIT - PRICE - 30_000);
    assertBooksAgree();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitsOfACallChargesItsChannelOnce(NextCommit what) {
    database.nextCommit(what);
    Claim first = claimed(ledger, first());
    database.nextCommit(what);
    assertThat(ledger.settleHere(first, Sample.ANSWER)).isInstanceOf(Settlement.Settled.class);
    database.nextCommit(what);
    Claim second = claimed(ledger, call(PRICE));
    database.nextCommit(what);
    assertThat(ledger.release(second)).isTrue();

    paid(ledger, call(PRICE));

    assertThat(state().charged()).isEqualTo(2 * PRICE);
    assertThat(balance()).isEqualTo(START - DEPOSIT);
    assertBooksAgree();
  }
}
