package dev.octroi.payments.evm.relay;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.chain.ChainUnavailable;
import dev.octroi.payments.evm.chain.ChannelReader;
import dev.octroi.payments.evm.chain.ChannelReader.ChannelReading;
import dev.octroi.payments.evm.chain.ChannelReader.ReceiverAccount;
import dev.octroi.payments.evm.chain.ChannelReader.ToldChannel;
import dev.octroi.payments.evm.channel.BatchSettlement;
import dev.octroi.payments.evm.channel.ChannelCalls;
import dev.octroi.payments.evm.channel.ChannelCalls.ClaimRow;
import dev.octroi.payments.evm.channel.ChannelConfig;
import dev.octroi.payments.evm.channel.ChannelOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.ClaimOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.PayoutOrder;
import dev.octroi.payments.evm.channel.ChannelOrder.RefundOrder;
import dev.octroi.payments.evm.channel.ChannelPayload;
import dev.octroi.payments.evm.channel.ChannelPayload.Kind;
import dev.octroi.payments.evm.channel.ChannelRefund;
import dev.octroi.payments.evm.channel.ChannelSettlements;
import dev.octroi.payments.evm.channel.ClaimBatch;
import dev.octroi.payments.evm.channel.Voucher;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.x402.FacilitatorMessages.VerifyResponse;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import dev.octroi.payments.x402.StatedChannel;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies and settles for other servers that are paid out of channels (x402, facilitator
 * interface). Thread-safe; throws {@link ChainUnavailable} where nothing was decided.
 *
 * <p>It needs no state but the contract's count and the relay's store: of one order one transaction
 * moves the money, and a server that asks again hears of that one. What calls were charged is the
 * asking server's own matter. A server may have any channel refunded whose authorizer is a key of
 * the relay, except for the gateway's own channels.
 */
public final class ChannelOrders {

  private static final Logger LOG = LoggerFactory.getLogger(ChannelOrders.class);

  private static final String PENDING = "settlement_pending";
  private static final String NOT_SENT = "settlement_not_sent";
  private static final String TERMS = "invalid_payment_requirements";
  private static final String RECEIVER = BatchSettlement.PREFIX + "receiver_mismatch";
  private static final String TYPE = BatchSettlement.PREFIX + "payload_type";
  private static final String REFUND_FAILS = BatchSettlement.PREFIX + "refund_simulation_failed";
  private static final String PAYOUT_FAILS = BatchSettlement.PREFIX + "settle_simulation_failed";
  private static final String WRONG_KEY = "authorizer_address_mismatch";
  private static final String NO_AMOUNT = "0";

  private final EvmFacilitator relay;
  private final ChannelReader reader;
  private final EvmAddress own;
  private final Predicate<String> isCharged;
  private final Signatures signatures = Signatures.fastest();

  /**
   * Serves the channels of a relay's chain.
   *
   * @param own who is paid for the gateway's own calls: no other server settles its channels
   * @param isCharged whether the gateway itself has charged a channel, by its id in hex
   */
  ChannelOrders(
      EvmFacilitator relay, ChannelReader reader, EvmAddress own, Predicate<String> isCharged) {
    this.relay = relay;
    this.reader = reader;
    this.own = own;
    this.isCharged = isCharged;
  }

  /**
   * Verifies a deposit, a voucher, or a refund as a payer asks for it.
   *
   * @param terms the asking server's, in the ledger's spelling
   * @throws MalformedPayment if the payload cannot be read
   */
  public VerifyResponse verify(PaymentPayload payment, PaymentRequirements terms) {
    if (isOwn(terms.payTo())) {
      return new VerifyResponse(false, RECEIVER, null);
    }
    Verification verification = relay.verify(payment, terms);
    if (verification instanceof Verification.Invalid invalid) {
      return new VerifyResponse(false, invalid.reason(), invalid.payer());
    }
    ChannelPayload read = ChannelPayload.read(payment.payload()).orElseThrow();
    String payer = read.config().payer().toString();
    if (verification instanceof Verification.Late late) {
      return new VerifyResponse(false, late.reason(), payer);
    }
    ToldChannel now = reader.told(id(read));
    String broken = broken(read, terms, now);
    return broken == null
        ? new VerifyResponse(true, null, payer, now.stated())
        : new VerifyResponse(false, broken, payer);
  }

  private static @Nullable String broken(
      ChannelPayload read, PaymentRequirements terms, ToldChannel now) {
    BigInteger max = read.voucher().maxClaimable();
    boolean isRefund = read.kind() == Kind.REFUND;
    if (!isRefund && max.compareTo(new BigInteger(terms.amount())) < 0) {
      return ChannelUse.MISMATCH;
    }
    BigInteger deposit = BigInteger.ZERO;
    if (read.deposit() != null) {
      deposit = read.deposit().amount();
    } else if (now.stated().balance().signum() == 0) {
      return BatchSettlement.PREFIX + "channel_not_found";
    }
    if (max.compareTo(now.spendable().add(deposit)) > 0) {
      return ChannelUse.EXCEEDS;
    }
    int above = max.compareTo(now.stated().totalClaimed());
    return above < 0 || (above == 0 && !isRefund) ? ChannelUse.BELOW_CLAIMED : null;
  }

  /** Whether a server orders it for itself, so that its terms name nothing to be paid. */
  public static boolean isOrder(PaymentPayload payment) {
    return !payment.payload().path("type").asText().equals("deposit");
  }

  /**
   * Settles a deposit, a claim, a payout or a refund, and waits for its end. What is not known for
   * certain is told as pending.
   *
   * @param terms the asking server's, in the ledger's spelling
   * @throws MalformedPayment if the payload cannot be read
   */
  public SettlementResponse settle(PaymentPayload payment, PaymentRequirements terms) {
    ChannelOrder order = ChannelOrder.read(payment.payload(), chainId()).orElse(null);
    if (order instanceof RefundOrder refund) {
      return refund(refund, terms);
    }
    if (order == null) {
      return deposit(payment, terms);
    }
    if (!terms.amount().equals(NO_AMOUNT)) {
      return refused(TERMS, terms);
    }
    EvmAddress token = EvmAddress.parse(terms.asset());
    return order instanceof ClaimOrder claim
        ? answer("claim", claim(claim.rows(), claim.signature(), token), terms, null, null)
        : payOut((PayoutOrder) order, token, terms);
  }

  private SettlementResponse deposit(PaymentPayload payment, PaymentRequirements terms) {
    ChannelPayload read = ChannelPayload.read(payment.payload()).orElse(null);
    if (read == null || read.kind() != Kind.DEPOSIT) {
      return refused(TYPE, terms);
    }
    if (isOwn(terms.payTo())) {
      return refused(RECEIVER, terms);
    }
    Verification verification = relay.verify(payment, terms);
    String broken;
    if (verification instanceof Verification.Invalid invalid) {
      broken = invalid.reason();
    } else if (verification instanceof Verification.Late late) {
      broken = relay.isKnown(payment, terms) ? null : late.reason();
    } else {
      broken = broken(read, terms, reader.told(id(read)));
    }
    Settlement outcome =
        broken == null ? made(read, relay.deposit(payment, terms)) : new Settlement.Refused(broken);
    return answer("deposit", outcome, terms, read, hash -> deposited(hash, read));
  }

  /**
   * By one nonce a payer may sign for deposits of several amounts, of which one is made, and with
   * one deposit for several vouchers.
   */
  private Settlement made(ChannelPayload read, Settlement outcome) {
    if (!(outcome instanceof Settlement.Settled settled)) {
      return outcome;
    }
    try {
      BigInteger asked = Objects.requireNonNull(read.deposit()).amount();
      if (!deposited(settled.transaction(), read).equals(asked)) {
        return new Settlement.Refused(ChannelUse.NO_DEPOSIT);
      }
      BigInteger spendable = reader.told(id(read)).spendable();
      return read.voucher().maxClaimable().compareTo(spendable) <= 0
          ? outcome
          : new Settlement.Refused(ChannelUse.EXCEEDS);
    } catch (ChainUnavailable e) {
      return new Settlement.Unknown(PENDING, settled.transaction());
    }
  }

  /** Rows of which nothing is left to claim need no transaction. */
  private Settlement claim(List<ClaimRow> rows, Optional<byte[]> signature, EvmAddress token) {
    String broken = broken(rows, token);
    if (broken != null) {
      return rule(broken);
    }
    ClaimBatch batch = new ClaimBatch(rows.stream().map(ClaimRow::claim).toList());
    EvmAddress authorizer = rows.get(0).config().receiverAuthorizer();
    Optional<byte[]> signed = signature.or(() -> relay.signed(authorizer, batch.digest(chainId())));
    if (signed.isEmpty()) {
      return rule(WRONG_KEY);
    }
    byte[] data = ChannelCalls.ordered(ChannelCalls.claim(rows, signed.get()), 0);
    Map<String, ChannelReading> readings =
        reader.read(rows.stream().map(ChannelOrders::id).toList());
    boolean isOpen =
        rows.stream()
            .anyMatch(
                row ->
                    row.claim()
                            .totalClaimed()
                            .compareTo(
                                BigInteger.valueOf(
                                    Objects.requireNonNull(readings.get(id(row))).claimed()))
                        > 0);
    return isOpen
        ? relay.order(token, data, ChannelSettlements.CLAIM_FAILS)
        : relay.known(token, data).orElse(new Settlement.Settled(""));
  }

  private @Nullable String broken(List<ClaimRow> rows, EvmAddress token) {
    for (ClaimRow row : rows) {
      ChannelConfig config = row.config();
      if (!config.token().equals(token)) {
        return "token_mismatch";
      }
      if (config.receiver().equals(own)) {
        return "receiver_mismatch";
      }
      if (!config.receiverAuthorizer().equals(rows.get(0).config().receiverAuthorizer())) {
        return WRONG_KEY;
      }
      if (!isSigned(config, row.claim().voucher(), row.signature())) {
        return "voucher_signature";
      }
    }
    return rows.isEmpty() ? "payload_type" : null;
  }

  private SettlementResponse payOut(
      PayoutOrder order, EvmAddress token, PaymentRequirements terms) {
    if (!order.token().equals(token)) {
      return refused(BatchSettlement.PREFIX + "token_mismatch", terms);
    }
    ReceiverAccount account = reader.account(order.receiver(), token);
    byte[] call = ChannelCalls.settle(order.receiver(), token);
    Settlement outcome =
        account.unpaid() > 0
            ? relay.order(token, ChannelCalls.ordered(call, account.claimed()), PAYOUT_FAILS)
            : rule("nothing_to_settle");
    return answer("settle", outcome, terms, null, hash -> reader.paidOut(hash, order.receiver()));
  }

  private SettlementResponse refund(RefundOrder order, PaymentRequirements terms) {
    EvmAddress token = EvmAddress.parse(terms.asset());
    String broken = broken(order, EvmAddress.parse(terms.payTo()), token);
    Settlement outcome = broken == null ? refund(order, token) : rule(broken);
    byte[] id = order.asked().voucher().channelId();
    return answer("refund", outcome, terms, order.asked(), hash -> reader.refunded(hash, id));
  }

  private @Nullable String broken(RefundOrder order, EvmAddress payTo, EvmAddress token) {
    ChannelPayload asked = order.asked();
    ChannelConfig config = asked.config();
    byte[] id = config.id(chainId());
    if (!Arrays.equals(id, asked.voucher().channelId())) {
      return "channel_id_mismatch";
    }
    if (!config.token().equals(token)) {
      return "token_mismatch";
    }
    boolean isTheirs = config.receiver().equals(payTo) && !payTo.equals(own);
    if (!isTheirs || isCharged.test(Hex.of(id))) {
      return "receiver_mismatch";
    }
    if (!isSigned(config, asked.voucher(), asked.signature())) {
      return "voucher_signature";
    }
    if (asked.refund() == null || asked.refund().signum() == 0) {
      return "refund_amount_invalid";
    }
    boolean isOfOne =
        order.claims().stream()
            .allMatch(row -> Arrays.equals(row.claim().voucher().channelId(), id));
    if (!isOfOne) {
      return "refund_payload";
    }
    return order.claims().isEmpty() ? null : broken(order.claims(), token);
  }

  /**
   * What was charged is claimed before, by a transaction of its own: asked again, both go on where
   * they were. An old nonce is that of a refund which was sent, or of none.
   */
  private Settlement refund(RefundOrder order, EvmAddress token) {
    ChannelPayload asked = order.asked();
    ChannelRefund refund =
        new ChannelRefund(
            asked.voucher().channelId(), order.nonce(), Objects.requireNonNull(asked.refund()));
    EvmAddress authorizer = asked.config().receiverAuthorizer();
    Optional<byte[]> signed =
        order.signature().or(() -> relay.signed(authorizer, refund.digest(chainId())));
    if (signed.isEmpty()) {
      return rule(WRONG_KEY);
    }
    StatedChannel now = reader.told(id(asked)).stated();
    if (order.nonce().equals(now.refundNonce())) {
      BigInteger claimed =
          order.claims().stream()
              .map(row -> row.claim().totalClaimed())
              .reduce(now.totalClaimed(), BigInteger::max);
      if (now.balance().compareTo(claimed) <= 0) {
        return new Settlement.Refused(ChannelUse.NOTHING_LEFT);
      }
      if (claimed.compareTo(now.totalClaimed()) > 0) {
        Settlement before = claim(order.claims(), order.claimSignature(), token);
        if (!(before instanceof Settlement.Settled)) {
          return before;
        }
      }
    }
    byte[] call = ChannelCalls.refund(asked.config(), refund, signed.get());
    return relay.order(token, ChannelCalls.ordered(call, 0), REFUND_FAILS);
  }

  /** Before a channel's claims its vouchers are those of a key, as before its calls. */
  private boolean isSigned(ChannelConfig config, Voucher voucher, byte[] signature) {
    return signatures.isSignedBy(config.voucherSigner(), voucher.digest(chainId()), signature);
  }

  /**
   * The answer, with what the transaction has moved.
   *
   * @param of the payer's channel; null where the order is of several
   * @param moved how much, by the transaction; null where no amount is told
   */
  private SettlementResponse answer(
      String kind,
      Settlement outcome,
      PaymentRequirements terms,
      @Nullable ChannelPayload of,
      @Nullable Function<String, BigInteger> moved) {
    String payer = of == null ? null : of.config().payer().toString();
    String network = terms.network();
    if (outcome instanceof Settlement.Settled settled) {
      String hash = settled.transaction();
      try {
        String amount = moved == null ? null : moved.apply(hash).toString();
        Map<String, Object> extra =
            of == null ? null : Map.of(StatedChannel.MEMBER, reader.told(id(of)).stated());
        return new SettlementResponse(true, hash, network, payer, null, amount, null, extra);
      } catch (ChainUnavailable e) {
        LOG.warn("What {} has moved is told later: {}", hash, e.getMessage());
        return new SettlementResponse(false, hash, network, payer, PENDING, null);
      }
    }
    if (outcome instanceof Settlement.Refused refused) {
      String failed = BatchSettlement.PREFIX + kind + "_transaction_failed";
      return SettlementResponse.refused(named(refused.reason(), failed), network, payer);
    }
    if (outcome instanceof Settlement.Unsent unsent) {
      return SettlementResponse.refused(named(unsent.reason(), NOT_SENT), network, payer);
    }
    String hash =
        outcome instanceof Settlement.Sent sent
            ? sent.transaction()
            : Objects.requireNonNullElse(((Settlement.Unknown) outcome).transaction(), "");
    return new SettlementResponse(false, hash, network, payer, PENDING, null);
  }

  /** A reason of the scheme as it is, and another for the relay's own. */
  private static String named(String reason, String otherwise) {
    return reason.startsWith(BatchSettlement.PREFIX) ? reason : otherwise;
  }

  private static SettlementResponse refused(String reason, PaymentRequirements terms) {
    return SettlementResponse.refused(reason, terms.network(), null);
  }

  private static Settlement rule(String broken) {
    return new Settlement.Refused(BatchSettlement.PREFIX + broken);
  }

  private boolean isOwn(String payTo) {
    return EvmAddress.parse(payTo).equals(own);
  }

  private BigInteger deposited(String transaction, ChannelPayload read) {
    return reader.deposited(transaction, read.voucher().channelId());
  }

  private static String id(ChannelPayload read) {
    return Hex.of(read.voucher().channelId());
  }

  private static String id(ClaimRow row) {
    return Hex.of(row.claim().voucher().channelId());
  }

  private long chainId() {
    return relay.chainId();
  }
}
