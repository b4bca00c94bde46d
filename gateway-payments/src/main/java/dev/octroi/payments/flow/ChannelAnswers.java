package dev.octroi.payments.flow;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.facilitator.ChannelUse;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.Facilitator.ChannelPayback;
import dev.octroi.payments.facilitator.Facilitator.ChannelRefunds;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.flow.Authorizations.AnswerForm;
import dev.octroi.payments.ledger.Channels;
import dev.octroi.payments.ledger.Channels.ChannelRefundResult;
import dev.octroi.payments.ledger.Channels.ChannelState;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What payers are told of their channels (x402, batch-settlement). Thread-safe.
 *
 * @param channels what the ledger knows of them
 */
record ChannelAnswers(Channels channels, Refusals refusals) {

  private static final String STATE = "channelState";
  private static final String VOUCHER = "voucherState";
  private static final String CHARGED = "chargedCumulativeAmount";
  private static final byte[] NOTHING_SOLD = "{}".getBytes(StandardCharsets.US_ASCII);

  /**
   * The challenge to a payer who counts otherwise than this server, by which its client signs anew:
   * it states the channel, and the payer's own signature of what was charged. Empty for any other
   * refusal, and where no call has been charged.
   */
  Optional<HttpAnswer> corrected(ClaimResult result, Exchange request, VerifiedPayment payment) {
    boolean differs = result.equals(new ClaimResult.Failed(ChannelUse.MISMATCH));
    return payment
        .payer()
        .channel()
        .filter(use -> differs)
        .flatMap(use -> corrected(use, request, payment.price(), payment.terms()));
  }

  private Optional<HttpAnswer> corrected(
      ChannelUse use, Exchange request, OfferedPrice price, PaymentRequirements terms) {
    return channels
        .find(terms.network(), use.id())
        .map(state -> refusals.corrected(request, price, stating(state, terms)));
  }

  /** The same terms, which state the channel besides. */
  private static PaymentRequirements stating(ChannelState state, PaymentRequirements terms) {
    Map<String, Object> extra = new HashMap<>(terms.extra() == null ? Map.of() : terms.extra());
    extra.put(STATE, state(state, terms.decimals()));
    if (state.signature() != null) {
      extra.put(
          VOUCHER,
          Map.of(
              "signedMaxClaimable",
              units(state.signed(), terms.decimals()),
              "signature",
              Hex.of(state.signature())));
    }
    return terms.with(extra);
  }

  /**
   * What was charged counts as claimed where the ledger holds the money. A contract that was not
   * asked holds at least that.
   */
  private static Map<String, Object> state(ChannelState state, int decimals) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("channelId", state.id());
    boolean isHere = state.left().isPresent();
    long held = state.held().orElse(state.charged() + state.left().orElse(0));
    members.put("balance", units(held, decimals));
    members.put("totalClaimed", units(isHere ? state.charged() : state.claimed(), decimals));
    members.put("withdrawRequestedAt", 0);
    members.put("refundNonce", Integer.toString(state.refunds()));
    members.put(CHARGED, units(state.charged(), decimals));
    return members;
  }

  private static String units(long micros, int decimals) {
    return new Usd(micros).atomicUnits(decimals);
  }

  /**
   * The answer to a payer who asks for what is left in a channel.
   *
   * @param facilitator that of the channel's network
   * @throws CallRefused if nothing goes back
   */
  HttpAnswer refund(
      Exchange request,
      OfferedPrice price,
      PaymentRequirements terms,
      AnswerForm form,
      Verification.Refund asked,
      Facilitator facilitator) {
    ChannelUse use = asked.channel();
    ChannelRefundResult result =
        facilitator
            .channelRefunds(terms.network())
            .map(chain -> refund(chain, terms.network(), asked))
            .orElseGet(
                () -> channels.refund(terms.network(), use.id(), use.before(), asked.amount()));
    if (result instanceof ChannelRefundResult.Refused refused) {
      throw new CallRefused(refused(refused.reason(), use, request, price, terms));
    }
    ChannelRefundResult.Refunded back = (ChannelRefundResult.Refunded) result;
    SettlementResponse settlement =
        SettlementResponse.settled(
                back.transaction(),
                terms.network(),
                use.payer(),
                units(back.amount(), terms.decimals()))
            .extra(Map.of(STATE, state(back.state(), terms.decimals())));
    return HttpAnswer.json(200, NOTHING_SOLD).with(Receipts.settlement(form, settlement));
  }

  /** The channel is held meanwhile; where the end is not seen, until the chain has told it. */
  private ChannelRefundResult refund(
      ChannelRefunds chain, String network, Verification.Refund asked) {
    ChannelUse use = asked.channel();
    ChannelRefundResult held = channels.hold(network, use.id(), use.before());
    if (!(held instanceof ChannelRefundResult.Begun begun)) {
      return held;
    }
    ChannelPayback back = chain.give(use, asked.amount());
    if (back.settlement() instanceof Settlement.Settled settled) {
      var unused = channels.refunded(network, use.id(), begun.hold(), back.amount());
      ChannelState state = channels.find(network, use.id()).orElseThrow();
      return new ChannelRefundResult.Refunded(settled.transaction(), back.amount(), state);
    }
    if (back.settlement() instanceof Settlement.Unsent unsent) {
      var unused = channels.refunded(network, use.id(), begun.hold(), 0);
      return new ChannelRefundResult.Refused(unsent.reason());
    }
    if (back.settlement() instanceof Settlement.Refused) {
      var unused = channels.refunded(network, use.id(), begun.hold(), 0);
    }
    return new ChannelRefundResult.Refused(ChannelUse.REFUND_FAILED);
  }

  private HttpAnswer refused(
      String reason,
      ChannelUse use,
      Exchange request,
      OfferedPrice price,
      PaymentRequirements terms) {
    Optional<HttpAnswer> corrected =
        reason.equals(ChannelUse.MISMATCH)
            ? corrected(use, request, price, terms)
            : Optional.empty();
    return corrected.orElseGet(() -> refusals.invalid(request, price, reason));
  }

  /**
   * The receipt of a call that was paid out of a channel: nothing was sent but a deposit, if there
   * was one.
   *
   * @param plain the receipt of any other payment
   * @param decimals how many the token has
   */
  static SettlementResponse receipt(
      SettlementResponse plain, ChannelUse use, Usd charge, int decimals) {
    Map<String, Object> extra =
        Map.of(
            "chargedAmount",
            charge.atomicUnits(decimals),
            STATE,
            Map.of(
                "channelId", use.id(), CHARGED, units(use.before() + charge.micros(), decimals)));
    return new SettlementResponse(
        plain.success(),
        use.deposit().isPresent() ? plain.transaction() : "",
        plain.network(),
        plain.payer(),
        plain.errorReason(),
        use.deposit().map(put -> units(put.amount(), decimals)).orElse(""),
        plain.extensions(),
        extra);
  }
}
