package dev.octroi.payments.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PayingClient.PaymentDeclined;
import dev.octroi.payments.client.PayingClient.Received;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.PayloadFields;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelDeposit;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.PermitDeposit;
import dev.octroi.payments.evm.channel.TokenDeposit;
import dev.octroi.payments.evm.channel.Voucher;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequired;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signs payments out of one wallet's channels on EVM chains (scheme batch-settlement). Immutable
 * and thread-safe.
 *
 * <p>It keeps no state. The server says what it has charged, in answer to a voucher for nothing,
 * and proves it by this wallet's own signature; so nothing that is signed for the question can be
 * that proof. What is signed then permits the price above what was charged, and no more.
 */
public final class ChannelSigner implements Signer {

  /** How many calls a deposit is for, where the server does not say. */
  private static final BigInteger CALLS = BigInteger.valueOf(5);

  /** One channel for the same terms, the one that the published client uses. */
  private static final byte[] SALT = new byte[Keccak.BYTES];

  private static final String MIN_DEPOSIT = "minDeposit";

  private final Wallet wallet;
  private final BigInteger max;
  private final Clock clock;
  private final BigInteger charged;
  private final BigInteger left;
  private final SecureRandom random = new SecureRandom();

  /**
   * Signs for channels that nothing was charged from.
   *
   * @param max the most that a call may cost, and the most that is put into a channel at once
   */
  public ChannelSigner(Wallet wallet, Usd max, Clock clock) {
    this(wallet, BigInteger.valueOf(max.micros()), clock, BigInteger.ZERO, BigInteger.ZERO);
  }

  private ChannelSigner(
      Wallet wallet, BigInteger max, Clock clock, BigInteger charged, BigInteger left) {
    this.wallet = wallet;
    this.max = max;
    this.clock = clock;
    this.charged = charged;
    this.left = left;
  }

  @Override
  public String account() {
    return wallet.address().toString();
  }

  @Override
  public boolean signs(PaymentRequirements offer) {
    return PaymentSigner.isOnEvm(offer)
        && offer.isChannel()
        && authorizer(offer).isPresent()
        && delay(offer).isPresent();
  }

  /**
   * The {@code PAYMENT-SIGNATURE} that asks what was charged: a voucher for nothing, which pays for
   * no call.
   */
  public String question(PaymentRequired challenge, PaymentRequirements terms) {
    return PaymentPayload.header(
        challenge, terms, payload(ChannelPayload.Kind.VOUCHER, terms, BigInteger.ZERO, null));
  }

  /**
   * The {@code PAYMENT-SIGNATURE} that asks for all that is left in the channel: a voucher for what
   * was charged, and for nothing more.
   */
  public String refund(PaymentRequired challenge, PaymentRequirements terms) {
    return PaymentPayload.header(
        challenge, terms, payload(ChannelPayload.Kind.REFUND, terms, charged, null));
  }

  /**
   * The signer that goes on from what the server has answered to the question.
   *
   * @param answer a 402; one that states no channel is of a server that knows none
   * @param terms as they were asked about
   * @throws PaymentDeclined if the server states another channel, or charges that this wallet has
   *     not signed
   * @throws MalformedPayment if the answer cannot be read
   */
  public ChannelSigner told(PaidAnswer answer, PaymentRequirements terms) {
    PaymentRequired challenge =
        new Received(answer.status(), answer.headers(), answer.body()).challenge();
    return challenge.accepts().stream()
        .filter(PaymentRequirements::isChannel)
        .filter(offer -> offer.extra("channelState").isPresent())
        .findFirst()
        .map(offer -> told(offer, terms))
        .orElse(this);
  }

  private ChannelSigner told(PaymentRequirements offer, PaymentRequirements terms) {
    JsonNode state = node(offer, "channelState");
    byte[] id = config(terms).id(TokenDomain.chainId(terms.network()));
    require(Hex.of(id).equalsIgnoreCase(state.path("channelId").asText()), "of another channel");
    BigInteger sum = PayloadFields.uint256(state, "chargedCumulativeAmount");
    if (sum.signum() > 0) {
      JsonNode voucher = node(offer, "voucherState");
      require(voucher.isObject(), "without a voucher of this wallet");
      BigInteger signed = PayloadFields.uint256(voucher, "signedMaxClaimable");
      require(sum.compareTo(signed) <= 0, "above its voucher");
      byte[] digest = new Voucher(id, signed).digest(TokenDomain.chainId(terms.network()));
      boolean ours =
          Signatures.fastest()
              .isSignedBy(wallet.address(), digest, PayloadFields.bytes(voucher, "signature"));
      require(ours, "that this wallet did not sign");
    }
    BigInteger rest = PayloadFields.uint256(state, "balance").subtract(sum);
    return new ChannelSigner(wallet, max, clock, sum, rest.max(BigInteger.ZERO));
  }

  private static JsonNode node(PaymentRequirements offer, String member) {
    return offer.extra(member).orElse(null) instanceof JsonNode node
        ? node
        : MissingNode.getInstance();
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new PaymentDeclined("The server states charges " + what + ".", null);
    }
  }

  /** What is put into the channel with the next payment; empty where it holds enough. */
  public Optional<Usd> deposit(PaymentRequirements terms) {
    BigInteger price = price(terms);
    if (left.compareTo(price) >= 0) {
      return Optional.empty();
    }
    BigInteger wanted =
        terms
            .extra(MIN_DEPOSIT)
            .map(Object::toString)
            .filter(text -> text.matches("[0-9]{1,15}"))
            .map(BigInteger::new)
            .orElseGet(() -> price.multiply(CALLS));
    return Optional.of(new Usd(wanted.min(max).max(price).longValueExact()));
  }

  @Override
  public Map<String, Object> payload(PaymentRequirements chosen) {
    BigInteger permitted = charged.add(price(chosen));
    return deposit(chosen)
        .map(put -> payload(ChannelPayload.Kind.DEPOSIT, chosen, permitted, put))
        .orElseGet(() -> payload(ChannelPayload.Kind.VOUCHER, chosen, permitted, null));
  }

  private BigInteger price(PaymentRequirements terms) {
    BigInteger price = new BigInteger(terms.amount());
    if (price.compareTo(max) > 0) {
      throw new IllegalArgumentException("the price is above the most that is signed");
    }
    return price;
  }

  private Map<String, Object> payload(
      ChannelPayload.Kind kind,
      PaymentRequirements terms,
      BigInteger permitted,
      @Nullable Usd put) {
    ChannelConfig config = config(terms);
    long chain = TokenDomain.chainId(terms.network());
    Voucher voucher = new Voucher(config.id(chain), permitted);
    return new ChannelPayload(
            kind,
            config,
            voucher,
            wallet.sign(voucher.digest(chain)),
            put == null ? null : deposit(terms, voucher.channelId(), put),
            null)
        .toJson();
  }

  private ChannelDeposit deposit(PaymentRequirements terms, byte[] channel, Usd put) {
    byte[] word = new byte[Keccak.BYTES];
    random.nextBytes(word);
    BigInteger number = new BigInteger(1, word);
    BigInteger amount = BigInteger.valueOf(put.micros());
    BigInteger end = PaymentSigner.end(terms, clock);
    if (Permit2.isMethodOf(terms)) {
      PermitDeposit unsigned = PermitDeposit.unsigned(config(terms), channel, amount, number, end);
      return unsigned.signed(wallet.sign(unsigned.digest(TokenDomain.chainId(terms.network()))));
    }
    TokenDeposit unsigned = new TokenDeposit(amount, BigInteger.ZERO, end, number, new byte[0]);
    return unsigned.signed(
        wallet.sign(unsigned.digest(PaymentSigner.token(terms), wallet.address(), channel)));
  }

  private ChannelConfig config(PaymentRequirements terms) {
    return new ChannelConfig(
        wallet.address(),
        wallet.address(),
        EvmAddress.parse(terms.payTo()),
        authorizer(terms).orElseThrow(),
        EvmAddress.parse(terms.asset()),
        delay(terms).orElseThrow(),
        SALT);
  }

  private static Optional<EvmAddress> authorizer(PaymentRequirements terms) {
    return PaymentSigner.address(terms, PaymentOption.RECEIVER_AUTHORIZER);
  }

  private static Optional<Long> delay(PaymentRequirements terms) {
    return terms
        .extra(PaymentOption.WITHDRAW_DELAY)
        .map(Object::toString)
        .filter(text -> text.matches("[0-9]{1,9}"))
        .map(Long::valueOf)
        .filter(
            seconds ->
                seconds >= BatchSettlement.MIN_WITHDRAW_DELAY
                    && seconds <= BatchSettlement.MAX_WITHDRAW_DELAY);
  }
}
