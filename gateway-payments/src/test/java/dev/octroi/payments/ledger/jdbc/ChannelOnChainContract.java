package dev.octroi.payments.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.ChannelUse.Deposit;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.ledger.Channels.ChannelRefundResult;
import dev.octroi.payments.ledger.Channels.ChannelState;
import dev.octroi.payments.ledger.Channels.UnclaimedChannel;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.KeyBytes;
import dev.octroi.payments.ledger.jdbc.FlakyDatabase.NextCommit;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What calls do to a channel whose money a chain holds. */
abstract class ChannelOnChainContract extends LedgerContract {

  private static final long PRICE = 10_000;
  private static final long DEPOSIT = 100_000;
  private static final String TX = "0x" + "ab".repeat(32);

  private final String payer = Sample.random(20);
  private String channel = Sample.random(32);

  ChannelOnChainContract(TestDatabase kind) {
    super(kind);
  }

  private ClaimRequest call(long before, long held, long taken, Optional<Deposit> deposit) {
    byte[] signature = ("signed " + (before + PRICE)).getBytes(StandardCharsets.US_ASCII);
    String nonce =
        ChannelNonce.key(
            BigInteger.valueOf(before + PRICE),
            BigInteger.valueOf(PRICE),
            deposit.map(put -> ChannelNonce.ofSalt(new BigInteger(put.nonce().substring(2), 16))));
    return new ClaimRequest(
            new PaymentKey(Sample.NETWORK, channel, nonce),
            new RequestBinding("GET", "/read", "", "00".repeat(32)),
            "11".repeat(32),
            PRICE,
            Sample.ASSET,
            Sample.PAY_TO,
            Instant.parse("2030-01-01T00:00:00Z"),
            OptionalLong.of(held),
            Redelivery.STORED)
        .outOf(
            Optional.of(
                new ChannelUse(
                    channel, payer, "terms", before, signature, deposit, OptionalLong.of(taken))));
  }

  private ClaimRequest voucher(long before) {
    return call(before, DEPOSIT, 0, Optional.empty());
  }

  private ClaimRequest first(long funds) {
    Deposit deposit = new Deposit("0x01", DEPOSIT, OptionalLong.of(funds));
    return call(0, DEPOSIT, 0, Optional.of(deposit));
  }

  private Claim claimed(ClaimRequest request) {
    ClaimResult result = ledger.claim(request);
    assertThat(result).isInstanceOf(ClaimResult.Claimed.class);
    return ((ClaimResult.Claimed) result).claim();
  }

  private void paid(ClaimRequest request) {
    Claim claim = claimed(request);
    Settlement outcome = new Settlement.Settled(TX);
    if (request.channel().orElseThrow().deposit().isPresent()) {
      assertThat(ledger.settling(claim, Sample.ANSWER)).isTrue();
      assertThat(ledger.settled(claim, outcome)).isTrue();
    } else {
      assertThat(ledger.settleByVoucher(claim, Sample.ANSWER))
          .isInstanceOf(Settlement.Settled.class);
    }
    ledger.delivered(claim);
  }

  private ChannelState state() {
    return ledger.channels().find(Sample.NETWORK, channel).orElseThrow();
  }

  private List<UnclaimedChannel> unclaimed(long least) {
    return ledger
        .channels()
        .unclaimed(Sample.NETWORK, Instant.parse("2040-01-01T00:00:00Z"), least, 10);
  }

  private void read(long withdrawing, Instant at) {
    jdbi.useHandle(
        handle ->
            handle.execute(
                "INSERT INTO channel_reading (network, id, balance, claimed, withdrawing, read_at)"
                    + " VALUES (?, ?, ?, 0, ?, ?)",
                Sample.NETWORK,
                KeyBytes.of(Sample.NETWORK, channel),
                DEPOSIT,
                withdrawing,
                Rows.utc(at)));
  }

  @Test
  void whatVouchersPromiseIsOwedUntilItIsClaimed() {
    paid(first(DEPOSIT));
    paid(voucher(PRICE));
    assertThat(state().charged()).isEqualTo(2 * PRICE);
    assertThat(state().left()).isEmpty();
    assertThat(new UnresolvedFigures(database).owed())
        .isEqualTo(new UnresolvedFigures.OwedByChannels(1, 2 * PRICE));
    assertBooksAgree();

    assertThat(unclaimed(2 * PRICE + 1)).isEmpty();
    assertThat(unclaimed(2 * PRICE))
        .singleElement()
        .satisfies(
            owed -> {
              assertThat(owed.id()).isEqualTo(channel);
              assertThat(owed.charged()).isEqualTo(2 * PRICE);
              assertThat(owed.claimed()).isZero();
              assertThat(owed.signed()).isEqualTo(2 * PRICE);
              assertThat(owed.signature()).asString().isEqualTo("signed 20000");
            });
    ledger.channels().claimed(Sample.NETWORK, channel, PRICE);
    ledger.channels().claimed(Sample.NETWORK, channel, PRICE);

    assertThat(unclaimed(1)).singleElement().returns(PRICE, UnclaimedChannel::claimed);
    assertBooksAgree();
    ledger.channels().claimed(Sample.NETWORK, channel, 9 * PRICE);

    assertThat(state().claimed()).isEqualTo(2 * PRICE);
    assertThat(unclaimed(0)).isEmpty();
    assertBooksAgree();
    paid(voucher(2 * PRICE));
    assertThat(unclaimed(PRICE)).hasSize(1);
  }

  @Test
  void aWithdrawalIsClaimedAgainstAtOnceAndUnreadChannelsAreNamed() {
    paid(first(DEPOSIT));
    Instant early = Instant.parse("2000-01-01T00:00:00Z");
    Instant read = Instant.parse("2030-01-01T00:00:00Z");

    assertThat(ledger.channels().unread(Sample.NETWORK, early, 10)).hasSize(1);
    read(1, read);

    assertThat(ledger.channels().unread(Sample.NETWORK, read, 10)).hasSize(1);
    assertThat(ledger.channels().unread(Sample.NETWORK, read.minusSeconds(1), 10)).isEmpty();
    assertThat(ledger.channels().unread(Sample.NETWORK, read.minusSeconds(86_400), 10))
        .as("read by a node whose clock was ahead")
        .hasSize(1);
    assertThat(ledger.channels().unclaimed(Sample.NETWORK, early, DEPOSIT, 10)).hasSize(1);
    assertThat(state().held()).hasValue(DEPOSIT);
  }

  @Test
  void aChannelThatCannotBeClaimedNowIsLookedAtLater() {
    paid(first(DEPOSIT));
    Instant before = Instant.now().plusSeconds(60);
    jdbi.useHandle(
        handle ->
            handle.execute("UPDATE channel SET unclaimed_since = ?", Rows.utc(Instant.EPOCH)));
    Instant hour = Instant.now().minusSeconds(3_600);
    assertThat(ledger.channels().unclaimed(Sample.NETWORK, hour, 1, 10)).hasSize(1);

    ledger.channels().postpone(Sample.NETWORK, channel);

    assertThat(ledger.channels().unclaimed(Sample.NETWORK, hour, 1, 10)).isEmpty();
    assertThat(ledger.channels().unclaimed(Sample.NETWORK, before, 1, 10)).hasSize(1);
  }

  /** As many as are looked at in one run could otherwise keep all others waiting. */
  @Test
  void aWithdrawalThatCannotBeClaimedAgainstLetsOthersPass() {
    paid(first(DEPOSIT));
    read(1, Instant.parse("2030-01-01T00:00:00Z"));
    Instant never = Instant.EPOCH;
    assertThat(ledger.channels().unclaimed(Sample.NETWORK, never, 1, 10)).hasSize(1);

    ledger.channels().postpone(Sample.NETWORK, channel);

    assertThat(ledger.channels().unclaimed(Sample.NETWORK, never, 1, 10)).isEmpty();
    clock.forward(Duration.ofMinutes(2));
    assertThat(ledger.channels().unclaimed(Sample.NETWORK, never, 1, 10)).hasSize(1);
  }

  @Test
  void aChannelPaysNoMoreThanItsContractHolds() {
    paid(first(DEPOSIT));

    assertThat(ledger.claim(call(PRICE, 2 * PRICE - 1, 0, Optional.empty())))
        .isEqualTo(new ClaimResult.Failed(ChannelUse.EXCEEDS));
    paid(call(PRICE, 2 * PRICE, 0, Optional.empty()));
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.8")
  void aPayersDepositsTogetherAreNoMoreThanItHas() {
    Claim open = claimed(first(DEPOSIT));
    String one = channel;
    channel = Sample.random(32);

    assertThat(ledger.claim(first(2 * DEPOSIT - 1)))
        .isEqualTo(new ClaimResult.Failed(ChannelUse.NO_FUNDS));
    Claim second = claimed(first(2 * DEPOSIT));

    assertBooksAgree();
    assertThat(one).isNotEqualTo(channel);
    assertThat(ledger.release(open)).isTrue();
    assertThat(ledger.release(second)).isTrue();
    assertBooksAgree();
  }

  @Test
  void aDepositIsTakenOnce() {
    paid(first(DEPOSIT));
    Deposit same = new Deposit("0x01", DEPOSIT, OptionalLong.of(DEPOSIT));

    assertThat(ledger.claim(call(PRICE, 2 * DEPOSIT, 0, Optional.of(same))))
        .isEqualTo(new ClaimResult.Failed(ChannelUse.NO_DEPOSIT));
  }

  /** As where a database was lost, or another gateway has claimed with the same key. */
  @Test
  void aDatabaseThatDoesNotKnowAChannelBeginsWithWhatWasClaimed() {
    assertThat(ledger.claim(voucher(0))).isInstanceOf(ClaimResult.Claimed.class);
    channel = Sample.random(32);

    assertThat(ledger.claim(call(0, DEPOSIT, 3 * PRICE, Optional.empty())))
        .isEqualTo(new ClaimResult.Failed(ChannelUse.MISMATCH));
    paid(call(3 * PRICE, DEPOSIT, 3 * PRICE, Optional.empty()));

    assertThat(state().charged()).isEqualTo(4 * PRICE);
    assertThat(unclaimed(1)).singleElement().returns(3 * PRICE, UnclaimedChannel::claimed);
    assertThat(ledger.claim(call(4 * PRICE, DEPOSIT, 5 * PRICE, Optional.empty())))
        .isEqualTo(new ClaimResult.Failed(ChannelUse.BELOW_CLAIMED));
    assertBooksAgree();
  }

  @Test
  @Tag("spec:money.5")
  void aPaymentThatFailedAndIsProvenLaterIsChargedToItsChannel() {
    Claim claim = claimed(first(DEPOSIT));
    assertThat(ledger.settling(claim, Sample.ANSWER)).isTrue();
    assertThat(ledger.settled(claim, new Settlement.Refused("reverted"))).isTrue();
    assertThat(state().charged()).isZero();
    assertThat(unclaimed(0)).isEmpty();
    assertBooksAgree();
    UnresolvedPayment failed = ledger.unresolved().find(claim.id()).orElseThrow();

    assertThat(ledger.unresolved().close(failed, new Settlement.Settled(TX))).isTrue();

    assertThat(state().charged()).isEqualTo(PRICE);
    assertThat(unclaimed(PRICE))
        .singleElement()
        .satisfies(owed -> assertThat(owed.signature()).asString().isEqualTo("signed 10000"));
    assertBooksAgree();
    paid(voucher(PRICE));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitOfAHoldLeavesTheChannelToItsRefund(NextCommit what) {
    paid(first(DEPOSIT));
    database.nextCommit(what);

    ChannelRefundResult held = ledger.channels().hold(Sample.NETWORK, channel, PRICE);

    assertThat(held).isInstanceOf(ChannelRefundResult.Begun.class);
    database.nextCommit(what);
    UUID hold = ((ChannelRefundResult.Begun) held).hold();
    var unused = ledger.channels().refunded(Sample.NETWORK, channel, hold, 40_000);
    assertThat(state().refunds()).isEqualTo(1);
    assertThat(ledger.channels().refunding(Sample.NETWORK, clock.instant())).isEmpty();
    assertBooksAgree();
    paid(voucher(PRICE));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("spec:money.unknown_commit")
  void aCutLineAtTheCommitsOfVouchersAndClaimsCountsThemOnce(NextCommit what) {
    database.nextCommit(what);
    Claim first = claimed(first(DEPOSIT));
    database.nextCommit(what);
    assertThat(ledger.settling(first, Sample.ANSWER)).isTrue();
    database.nextCommit(what);
    assertThat(ledger.settled(first, new Settlement.Settled(TX))).isTrue();
    Claim second = claimed(voucher(PRICE));
    database.nextCommit(what);
    assertThat(ledger.settleByVoucher(second, Sample.ANSWER))
        .isInstanceOf(Settlement.Settled.class);
    database.nextCommit(what);
    ledger.channels().claimed(Sample.NETWORK, channel, PRICE);

    assertThat(state().charged()).isEqualTo(2 * PRICE);
    assertThat(state().claimed()).isEqualTo(PRICE);
    assertBooksAgree();
  }
}
