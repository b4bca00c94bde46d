package dev.octroi.payments.evm.channel;

import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.ChannelNonce;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.TokenDomain;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the scheme batch-settlement that need neither a chain nor the ledger, in the
 * protocol's order; the first that is broken gives the reason. Thread-safe.
 *
 * <p>What was charged before, and whether the channel holds enough, is judged by the ledger in the
 * claim's own commit. Signatures are those of keys: a contract's cannot be told from here.
 */
public final class ChannelVerifier {

  /** A deposit must be good at least so much longer, in seconds (x402, batch-settlement). */
  private static final long MIN_LIFE_SECONDS = 6;

  private static final String PERMIT_SIGNATURE = "permit2_invalid_signature";

  private static final BigInteger MOST = BigInteger.valueOf(Usd.MAX_MICROS);

  private static final String VALID_BEFORE = "payload_authorization_valid_before";
  private static final String DEADLINE = "permit2_deadline_expired";

  private final Clock clock;
  private final Signatures signatures;

  public ChannelVerifier(Clock clock, Signatures signatures) {
    this.clock = clock;
    this.signatures = signatures;
  }

  /**
   * Verifies a payment against this server's own terms.
   *
   * @return valid or late, with an unknown balance; what is asked back; or the reason of the first
   *     broken rule
   * @throws MalformedPayment if the payload cannot be read
   */
  public Verification verify(PaymentPayload payment, PaymentRequirements terms) {
    if (!payment.scheme().equals(PaymentOption.CHANNEL) || !terms.isChannel()) {
      return invalid("scheme", null);
    }
    long chainId = TokenDomain.chainId(terms.network());
    if (chainId == 0 || !payment.network().equals(terms.network())) {
      return invalid("network_mismatch", null);
    }
    ChannelPayload read = ChannelPayload.read(payment.payload()).orElse(null);
    if (read == null) {
      return invalid("payload_type", null);
    }
    String payer = read.config().payer().toString();
    long now = clock.instant().getEpochSecond();
    String broken = brokenTerm(read.config(), read.voucher().channelId(), terms, chainId);
    if (broken == null && read.kind() == ChannelPayload.Kind.DEPOSIT) {
      broken = brokenDeposit(read, terms, chainId, now);
    }
    if (broken == null && !isSigned(read, chainId)) {
      broken = "voucher_signature";
    }
    if (broken != null) {
      return invalid(broken, payer);
    }
    return read.kind() == ChannelPayload.Kind.REFUND ? refund(read, terms) : paid(read, terms, now);
  }

  private static @Nullable String brokenTerm(
      ChannelConfig config, byte[] channelId, PaymentRequirements terms, long chainId) {
    if (channelId.length != Keccak.BYTES) {
      return "channel_id_invalid";
    }
    if (!Arrays.equals(config.id(chainId), channelId)) {
      return "channel_id_mismatch";
    }
    if (!config.receiver().equals(EvmAddress.parse(terms.payTo()))) {
      return "receiver_mismatch";
    }
    if (!config.hasAuthorizer()
        || !config.receiverAuthorizer().isNamed(terms, PaymentOption.RECEIVER_AUTHORIZER)) {
      return "receiver_authorizer_mismatch";
    }
    if (!config.token().equals(EvmAddress.parse(terms.asset()))) {
      return "token_mismatch";
    }
    if (config.withdrawDelay() < BatchSettlement.MIN_WITHDRAW_DELAY
        || config.withdrawDelay() > BatchSettlement.MAX_WITHDRAW_DELAY) {
      return "withdraw_delay_out_of_range";
    }
    return terms
            .extra(PaymentOption.WITHDRAW_DELAY)
            .filter(delay -> delay.toString().equals(Long.toString(config.withdrawDelay())))
            .isPresent()
        ? null
        : "withdraw_delay_mismatch";
  }

  /** The terms say which way a deposit is authorized. */
  private @Nullable String brokenDeposit(
      ChannelPayload read, PaymentRequirements terms, long chainId, long now) {
    long latest = now + terms.maxTimeoutSeconds() + ExactEvmVerifier.SKEW_SECONDS;
    if (Permit2.isMethodOf(terms)) {
      return read.deposit() instanceof PermitDeposit permit
          ? broken(permit, read, chainId, latest)
          : "permit2_authorization_required";
    }
    return read.deposit() instanceof TokenDeposit deposit
        ? broken(deposit, read, terms, now, latest)
        : "erc3009_authorization_required";
  }

  private @Nullable String broken(
      TokenDeposit deposit, ChannelPayload read, PaymentRequirements terms, long now, long latest) {
    TokenDomain token = TokenDomain.of(terms).orElse(null);
    if (token == null) {
      return "missing_eip712_domain";
    }
    if (!deposit.endsBefore(latest + 1)) {
      return VALID_BEFORE;
    }
    if (deposit.validAfter().compareTo(BigInteger.valueOf(now)) > 0) {
      return isLate(deposit, now) ? VALID_BEFORE : "payload_authorization_valid_after";
    }
    byte[] digest = deposit.digest(token, read.config().payer(), read.voucher().channelId());
    return isOfPayer(deposit, read, digest) ? null : "receive_authorization_signature";
  }

  private @Nullable String broken(
      PermitDeposit deposit, ChannelPayload read, long chainId, long latest) {
    if (!deposit.from().equals(read.config().payer())) {
      return PERMIT_SIGNATURE;
    }
    if (!deposit.spender().equals(deposit.collector())) {
      return "permit2_invalid_spender";
    }
    if (!deposit.token().equals(read.config().token())) {
      return "token_mismatch";
    }
    if (!deposit.permitted().equals(deposit.amount())) {
      return "permit2_amount_mismatch";
    }
    if (!Arrays.equals(deposit.channelId(), read.voucher().channelId())) {
      return "channel_id_mismatch";
    }
    if (!deposit.endsBefore(latest + 1)) {
      return DEADLINE;
    }
    return isOfPayer(deposit, read, deposit.digest(chainId)) ? null : PERMIT_SIGNATURE;
  }

  private boolean isOfPayer(ChannelDeposit deposit, ChannelPayload read, byte[] digest) {
    return deposit.amount().signum() > 0
        && signatures.isSignedBy(read.config().payer(), digest, deposit.signature());
  }

  private boolean isSigned(ChannelPayload read, long chainId) {
    return signatures.isSignedBy(
        read.config().voucherSigner(), read.voucher().digest(chainId), read.signature());
  }

  private static boolean isLate(ChannelDeposit deposit, long now) {
    return deposit.endsBefore(now + MIN_LIFE_SECONDS);
  }

  /** A voucher itself does not end: the terms say for how long a call may be paid by it. */
  private static Verification paid(ChannelPayload read, PaymentRequirements terms, long now) {
    BigInteger price = new BigInteger(terms.amount());
    BigInteger max = read.voucher().maxClaimable();
    ChannelDeposit deposit = read.deposit();
    long end = now + terms.maxTimeoutSeconds();
    if (deposit != null) {
      end = deposit.end().longValueExact();
    }
    Verification.Valid valid =
        new Verification.Valid(
            read.config().payer().toString(),
            ChannelNonce.key(max, price, Optional.ofNullable(deposit).map(ChannelDeposit::unique)),
            Instant.ofEpochSecond(end),
            OptionalLong.empty(),
            Optional.of(
                use(
                    read,
                    max.subtract(price),
                    terms,
                    Optional.ofNullable(deposit).map(put -> deposit(put, read, terms)))));
    return deposit != null && isLate(deposit, now)
        ? new Verification.Late(
            BatchSettlement.PREFIX + (deposit instanceof PermitDeposit ? DEADLINE : VALID_BEFORE),
            valid)
        : valid;
  }

  private static Verification refund(ChannelPayload read, PaymentRequirements terms) {
    BigInteger asked = read.refund();
    OptionalLong amount =
        asked == null ? OptionalLong.empty() : OptionalLong.of(whole(asked, terms.decimals()));
    ChannelUse use = use(read, read.voucher().maxClaimable(), terms, Optional.empty());
    return new Verification.Refund(use, amount);
  }

  private static ChannelUse use(
      ChannelPayload read,
      BigInteger before,
      PaymentRequirements terms,
      Optional<ChannelUse.Deposit> deposit) {
    return new ChannelUse(
        Hex.of(read.voucher().channelId()),
        read.config().payer().toString(),
        read.config().text(),
        exact(before, terms.decimals()),
        read.signature(),
        deposit);
  }

  private static ChannelUse.Deposit deposit(
      ChannelDeposit deposit, ChannelPayload read, PaymentRequirements terms) {
    return new ChannelUse.Deposit(
        Hex.of(deposit.nonce(read.voucher().channelId())),
        whole(deposit.amount(), terms.decimals()));
  }

  /** The ledger charges whole millionths of a dollar, so that no other sum was charged before. */
  private static long exact(BigInteger units, int decimals) {
    BigInteger[] micros = units.divideAndRemainder(unit(decimals));
    return units.signum() < 0 || micros[1].signum() != 0 || micros[0].compareTo(MOST) > 0
        ? ChannelUse.IMPOSSIBLE
        : micros[0].longValueExact();
  }

  /** What is left over of a millionth cannot be spent. */
  private static long whole(BigInteger units, int decimals) {
    return units.divide(unit(decimals)).min(MOST).longValueExact();
  }

  private static BigInteger unit(int decimals) {
    return BigInteger.TEN.pow(decimals - Usd.DECIMALS);
  }

  private static Verification.Invalid invalid(String rule, @Nullable String payer) {
    return new Verification.Invalid(BatchSettlement.PREFIX + rule, payer);
  }
}
