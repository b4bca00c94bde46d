package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.PriceQuote;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.flow.Authorizations.AnswerForm;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.OfferedPrice;
import dev.octroi.payments.x402.Offers;
import dev.octroi.payments.x402.Offers.OfferMatch;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the terms that a payment was made for, and has it verified by them. Thread-safe. */
final class PaymentVerifier {

  private static final Logger LOG = LoggerFactory.getLogger(PaymentVerifier.class);

  private final Offers offers;
  private final Admission admission;
  private final Settler settler;
  private final Refusals refusals;
  private final ChannelAnswers channels;

  PaymentVerifier(FlowSettings settings, Settler settler, Refusals refusals) {
    this.offers = settings.offers();
    this.admission = settings.admission();
    this.settler = settler;
    this.refusals = refusals;
    this.channels = new ChannelAnswers(settings.ledger().channels(), refusals);
  }

  /**
   * The payment as read, matched with what is offered now, and verified; after a change of prices,
   * also with what was offered before. Throws {@link CallRefused} if it buys nothing.
   */
  VerifiedPayment verified(
      IncomingCall call, PaymentPayload payload, AnswerForm form, PriceQuote quote) {
    OfferedPrice price = call.offered(quote.price());
    OfferVerification now = tried(call, payload, price);
    OfferVerification best = now.isGood() ? now : formerly(call, payload, quote).orElse(now);
    if (best.verification() instanceof Verification.Refund refund) {
      // It brings no money.
      admission.unpaid(call.exchange());
      PaymentRequirements terms = best.terms();
      throw new CallRefused(
          channels.refund(
              call.exchange(), price, terms, form, refund, settler.facilitator(terms.network())));
    }
    if (best.verification() instanceof Verification.Invalid invalid) {
      return known(call, payload, form, price, invalid.reason());
    }
    boolean outpriced = !now.isGood() && !quote.formerBuys();
    String lateFor = outpriced ? now.reason() : best.reason();
    if (lateFor != null) {
      // It brings no money any more, so that asking with it is limited like asking without one.
      admission.unpaid(call.exchange());
    }
    return verified(best, payload, form, price, lateFor);
  }

  /** Who pays, where the payment is good for the amount that it states; empty where it is not. */
  Optional<String> payer(IncomingCall call, PaymentPayload payload) {
    return offers
        .stated(payload)
        .map(price -> tried(call, payload, price).verification())
        .filter(Verification.Valid.class::isInstance)
        .map(valid -> ((Verification.Valid) valid).payer());
  }

  /**
   * A payment that was made when its work was ordered, wherever that was; empty if it buys nothing
   * any more.
   */
  Optional<VerifiedPayment> ordered(PaymentPayload payload, AnswerForm form, OfferedPrice price) {
    OfferVerification tried = matched(payload, price);
    return tried.reason() == null
        ? Optional.of(verified(tried, payload, form, price, null))
        : Optional.empty();
  }

  /** Why a payment buys nothing any more, wherever it was made for. */
  String lateFor(PaymentPayload payload, OfferedPrice price) {
    return Objects.requireNonNullElse(matched(payload, price).reason(), "payment_used");
  }

  private VerifiedPayment verified(
      OfferVerification good,
      PaymentPayload payload,
      AnswerForm form,
      OfferedPrice price,
      @Nullable String lateFor) {
    return new VerifiedPayment(
        price,
        payload,
        good.terms(),
        good.payment(),
        form,
        settler.trusted(good.terms(), good.payment()),
        lateFor,
        Optional.empty());
  }

  /**
   * A payment that fits nothing any more may have been taken in its time, and be in doubt or owed
   * an answer: that is no reason to ask for another one (x402, uncertain outcomes). The ledger
   * knows it by its identical envelope (money rule 4); a caller who has another one learns no more
   * than from any bad payment.
   *
   * <p>A bad payment counts as none: otherwise forging payments would be a way around the limits,
   * and cost the ledger a question each.
   */
  private VerifiedPayment known(
      IncomingCall call,
      PaymentPayload payload,
      AnswerForm form,
      OfferedPrice price,
      String reason) {
    admission.unpaid(call.exchange());
    return before(payload, form, price, reason)
        .orElseThrow(() -> new CallRefused(refusals.invalid(call.exchange(), price, reason)));
  }

  /** A payment that may have been taken in its time, and is not taken now for this reason. */
  Optional<VerifiedPayment> before(
      PaymentPayload payload, AnswerForm form, OfferedPrice price, String reason) {
    String envelope = Sha256.hex(payload.envelope());
    return StatedKey.of(payload)
        .flatMap(key -> settler.ledger().purchases().find(key, envelope))
        .map(purchase -> VerifiedPayment.before(purchase, offers, price, payload, form, reason));
  }

  private Optional<OfferVerification> formerly(
      IncomingCall call, PaymentPayload payload, PriceQuote quote) {
    return quote
        .former()
        .map(price -> tried(call, payload, call.offered(price)))
        .filter(OfferVerification::isGood);
  }

  /** Matches and verifies a payment at one price, if it is for what is called. */
  private OfferVerification tried(IncomingCall call, PaymentPayload payload, OfferedPrice price) {
    return refusals.concerns(payload, call.exchange())
        ? matched(payload, price)
        : OfferVerification.invalid(Refusals.OTHER_RESOURCE);
  }

  private OfferVerification matched(PaymentPayload payload, OfferedPrice price) {
    OfferMatch match = offers.match(payload, price);
    if (match instanceof OfferMatch.Unmatched unmatched) {
      return OfferVerification.invalid(unmatched.reason());
    }
    if (match instanceof OfferMatch.Suspended) {
      throw new CallRefused(
          HttpAnswer.busy("Payments on this network cannot be taken at the moment."));
    }
    PaymentRequirements terms = ((OfferMatch.Matched) match).terms();
    return new OfferVerification(Optional.of(terms), verification(payload, terms));
  }

  private Verification verification(PaymentPayload payload, PaymentRequirements terms) {
    try {
      return settler.verify(payload, terms);
    } catch (MalformedPayment | LedgerUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("The facilitator of {} failed to verify a payment", terms.network(), e);
      throw new CallRefused(HttpAnswer.busy("The payment cannot be verified at the moment."));
    }
  }

  /**
   * What came of holding a payment against one price.
   *
   * @param offer the offer that it was made for; empty where it fits none
   */
  record OfferVerification(Optional<PaymentRequirements> offer, Verification verification) {

    static OfferVerification invalid(String reason) {
      return new OfferVerification(Optional.empty(), new Verification.Invalid(reason, null));
    }

    /** Whether it is good at this price, now or in its time. */
    boolean isGood() {
      return !(verification instanceof Verification.Invalid);
    }

    /** Why it buys nothing new; null if it does. */
    @Nullable String reason() {
      return reason(verification);
    }

    /** Why a payment that was verified so buys nothing new; null if it does. */
    static @Nullable String reason(Verification verification) {
      if (verification instanceof Verification.Invalid invalid) {
        return invalid.reason();
      }
      return verification instanceof Verification.Late late ? late.reason() : null;
    }

    /** The offer; only where the payment is good. */
    PaymentRequirements terms() {
      return offer.orElseThrow();
    }

    /** The payment as verified; only where it is good. */
    Verification.Valid payment() {
      return verification instanceof Verification.Late late
          ? late.payment()
          : (Verification.Valid) verification;
    }
  }
}
