package dev.octroi.payments.evm.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.books.BookReport;
import dev.octroi.payments.books.BookVerification;
import dev.octroi.payments.books.Period;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.EvmToken;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.ChannelSamples;
import dev.octroi.payments.evm.channel.ChannelSettlements;
import dev.octroi.payments.evm.channel.Voucher;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Evidence;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Channels.ChannelState;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.treasury.VoucherClaims;
import dev.octroi.payments.treasury.VoucherClaims.ClaimTerms;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Contracts;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A seller whom payers pay out of channels, and what it is owed. */
abstract class ChannelFixture extends RelayFixture {

  static final long DELAY = 900;
  static final long DEPOSIT = 10 * PRICE;
  static final ClaimTerms AT_ONCE = new ClaimTerms(Duration.ZERO, 1);
  static final ClaimTerms LATER = new ClaimTerms(Duration.ofHours(1), 1);

  /** Begins a payer's own withdrawal. */
  static final String INITIATE = "0xcf5cf3dc";

  /** Ends it. */
  static final String FINALIZE = "0xe88377b1";

  final AtomicLong ahead = new AtomicLong();

  Evidence evidence;

  @BeforeEach
  void deploy() {
    Contracts.deployBatchSettlement(anvil);
    evidence = evidence(anvil.url());
  }

  /** Who verifies and settles for the seller. */
  abstract Facilitator settling();

  /** What claims for the seller. */
  abstract ChannelSettlements claiming();

  /** That of readings and claims, which may be ahead of the ledger's. */
  Clock later() {
    InstantSource source = () -> Instant.now().plusSeconds(ahead.get());
    return source.withZone(ZoneOffset.UTC);
  }

  ChannelReader reader() {
    return new ChannelReader(rpc(anvil.url()), database, 1, later());
  }

  VoucherClaims claims(ClaimTerms terms) {
    return new VoucherClaims(
        new VoucherClaims.Parts(
            ledger.channels(), NETWORK, reader(), claiming(), SELLER, List.of(token())),
        terms,
        later());
  }

  PaymentRequirements offer(long price) {
    Map<String, Object> extra = new HashMap<>(named());
    extra.putAll(settling().channelExtra(NETWORK).orElseThrow());
    extra.put(PaymentOption.WITHDRAW_DELAY, (int) DELAY);
    return new PaymentRequirements(
        PaymentOption.CHANNEL,
        NETWORK,
        Long.toString(price),
        token().toString(),
        SELLER.toString(),
        300,
        extra);
  }

  /** What is paid in. */
  EvmAddress token() {
    return EvmToken.BASE_USDC.address();
  }

  /** What offers say of it. */
  Map<String, Object> named() {
    return Map.of("name", "USD Coin", "version", "2");
  }

  /** What a payer signs to put money into a channel. */
  ChannelDeposit deposit(Channel channel, long amount, int salt) {
    return ChannelSamples.deposit(
        channel.config, amount, salt, anvil.timestamp() + 200, channel.payer::sign);
  }

  /** A channel as its payer knows it. */
  final class Channel {

    final Wallet payer;
    final ChannelConfig config;
    long charged;
    int salts;

    Channel(Wallet payer) {
      this(payer, payer.address());
    }

    Channel(Wallet payer, EvmAddress authorizer) {
      this.payer = payer;
      this.config =
          new ChannelConfig(
              payer.address(),
              authorizer,
              SELLER,
              relayer.address(),
              token(),
              DELAY,
              new byte[Keccak.BYTES]);
    }

    byte[] id() {
      return config.id(Anvil.CHAIN_ID);
    }

    ChannelDeposit deposit(long amount, int salt) {
      return ChannelFixture.this.deposit(this, amount, salt);
    }

    Voucher voucher(long max) {
      return new Voucher(id(), BigInteger.valueOf(max));
    }

    byte[] signed(long max) {
      return payer.sign(voucher(max).digest(Anvil.CHAIN_ID));
    }

    /** A payment for one call, with a deposit or by voucher alone. */
    PaymentPayload pays(long price, @Nullable ChannelDeposit deposit) {
      long max = charged + price;
      ChannelPayload payload =
          new ChannelPayload(
              deposit == null ? ChannelPayload.Kind.VOUCHER : ChannelPayload.Kind.DEPOSIT,
              config,
              voucher(max),
              signed(max),
              deposit,
              null);
      return payload(PaymentOption.CHANNEL, payload.toJson());
    }

    PaymentPayload first() {
      return pays(PRICE, deposit(DEPOSIT, salts++));
    }

    /** Pays for so many calls by voucher. */
    void calls(int count) {
      for (int i = 0; i < count; i++) {
        assertThat(paid(pays(PRICE, null), PRICE)).isInstanceOf(Settlement.Settled.class);
        charged += PRICE;
      }
    }

    ChannelState state() {
      return ledger.channels().find(NETWORK, Hex.of(id())).orElseThrow();
    }

    long held() {
      return asked(ChannelCalls.channels(id()), 0);
    }

    long claimed() {
      return asked(ChannelCalls.channels(id()), 1);
    }
  }

  long asked(byte[] data, int word) {
    String said = anvil.ask(Contracts.BATCH_SETTLEMENT, Hex.of(data));
    return Long.parseLong(said.substring(2 + 64 * word, 66 + 64 * word), 16);
  }

  /** A channel whose payer has paid for one call and put money into it. */
  Channel opened() {
    Channel channel = new Channel(payer());
    assertThat(paid(channel.first(), PRICE)).isInstanceOf(Settlement.Settled.class);
    channel.charged = PRICE;
    return channel;
  }

  Verification.Valid valid(PaymentPayload payment, long price) {
    Verification said = settling().verify(payment, offer(price));
    assertThat(said).isInstanceOf(Verification.Valid.class);
    return (Verification.Valid) said;
  }

  ClaimResult claim(PaymentPayload payment, long price) {
    Verification.Valid valid = valid(payment, price);
    return ledger.claim(
        new ClaimRequest(
                new PaymentKey(NETWORK, valid.account(), valid.nonce()),
                new RequestBinding("GET", "/read", "", "00".repeat(32)),
                "11".repeat(32),
                price,
                offer(price).asset(),
                SELLER.toString(),
                valid.validBefore(),
                valid.spendable(),
                Redelivery.REREAD)
            .outOf(valid.channel()));
  }

  /** A call as the flow has it paid. */
  Settlement paid(PaymentPayload payment, long price) {
    ClaimResult result = claim(payment, price);
    assertThat(result).isInstanceOf(ClaimResult.Claimed.class);
    Claim claim = ((ClaimResult.Claimed) result).claim();
    boolean sends = payment.payload().has("deposit");
    Settlement outcome = sends ? sent(claim, payment, price) : ledger.settleByVoucher(claim, null);
    ledger.delivered(claim);
    return outcome;
  }

  Settlement sent(Claim claim, PaymentPayload payment, long price) {
    assertThat(ledger.settling(claim, null)).isTrue();
    Settlement outcome = settling().settle(payment, offer(price));
    assertThat(ledger.settled(claim, outcome)).isTrue();
    return outcome;
  }

  String refused(PaymentPayload payment, long price) {
    ClaimResult result = claim(payment, price);
    assertThat(result).isInstanceOf(ClaimResult.Failed.class);
    return ((ClaimResult.Failed) result).reason();
  }

  BookReport books() {
    return new BookVerification(database, Map.of(NETWORK, evidence), Duration.ofDays(400), clock())
        .verify(Period.ALL, 10);
  }

  void assertBooksAgree() {
    assertThat(books().differences()).isEmpty();
  }

  /** A payment whose deposit this node was about to send when it lost sight of it. */
  UnresolvedPayment inDoubt(PaymentPayload payment) {
    Claim claim = ((ClaimResult.Claimed) claim(payment, PRICE)).claim();
    assertThat(ledger.settling(claim, null)).isTrue();
    assertThat(ledger.settled(claim, new Settlement.Unknown("settlement_pending", null))).isTrue();
    return ledger.unresolved().since(clock().instant().plusSeconds(9), 9).get(0);
  }

  /** As the reconciler does it, again and again. */
  void awaitEarned(VoucherClaims claims, long amount) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              claims.run();
              return earned() == amount;
            });
    awaitQuiet();
  }

  void awaitQuiet() {
    await().atMost(Duration.ofSeconds(20)).until(() -> !claiming().isPayingOut());
  }

  long owed() {
    return count("SELECT COALESCE(SUM(charged - claimed), 0) FROM channel");
  }

  ChannelUse asked(Channel channel) {
    return new ChannelUse(
        Hex.of(channel.id()),
        channel.payer.address().toString(),
        channel.config.text(),
        channel.charged,
        channel.signed(channel.charged),
        Optional.empty());
  }

  static byte[] calldata(PaymentPayload payment) {
    ChannelPayload read = ChannelPayload.read(payment.payload()).orElseThrow();
    return ChannelCalls.deposit(
        read.config(), Objects.requireNonNull(read.deposit()), Optional.empty());
  }

  /**
   * Has a payer take its money back itself.
   *
   * @param selector {@link #INITIATE} or {@link #FINALIZE}
   * @param amount how much; 0 to state none
   */
  void withdraw(Channel channel, String selector, long amount) {
    ChannelDeposit any = channel.deposit(1, 0);
    String words =
        Hex.of(ChannelCalls.deposit(channel.config, any, Optional.empty()))
            .substring(10, 10 + 7 * 64);
    String rest = amount == 0 ? "" : String.format("%064x", amount);
    anvil.setBalance(channel.payer.address().toString(), ETHER);
    anvil.execute(
        channel.payer.address().toString(), Contracts.BATCH_SETTLEMENT, selector + words + rest);
  }
}
