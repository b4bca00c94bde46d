package dev.octroi.api.facilitator;

import dev.octroi.api.facilitator.ServedSettlement.IdempotencyKey;
import dev.octroi.api.house.Mounted;
import dev.octroi.payments.Usd;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.permit2.Permit2;
import dev.octroi.payments.evm.relay.ChannelOrders;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.HttpFacilitator.FacilitatorUnavailable;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.SandboxBank;
import dev.octroi.payments.x402.FacilitatorMessages;
import dev.octroi.payments.x402.FacilitatorMessages.VerifyResponse;
import dev.octroi.payments.x402.FacilitatorRequest;
import dev.octroi.payments.x402.MalformedPayment;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import jakarta.ws.rs.ext.Providers;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies and settles other servers' payments as the gateway does its own. Thread-safe.
 *
 * <p>In the tokens that the gateway itself is paid in, and to any recipient.
 */
public final class ServedFacilitator {

  /** The resource classes, for {@code Application#getClasses}. */
  public static final List<Class<?>> RESOURCES = List.of(FacilitatorResource.class);

  private static final Logger LOG = LoggerFactory.getLogger(ServedFacilitator.class);

  private static final String INVALID_PAYLOAD = "invalid_payload";
  private static final String INSUFFICIENT = "insufficient_funds";
  private static final String ABOVE_CEILING = "invalid_upto_evm_payload_settlement_exceeds_amount";
  private static final String NOTHING = "0";

  private final Map<String, Facilitator> facilitators;
  private final TakenTerms taken;
  private final ServedSettlement settlement;
  private final SandboxBank bank;
  private final Optional<ChannelOrders> channels;

  /**
   * @param facilitators by network
   * @param taken the terms that payments are taken on
   * @param bank where the money of facilitators is that settle in the ledger
   * @param channels settles what is paid out of channels, where the terms take it
   */
  public ServedFacilitator(
      Map<String, Facilitator> facilitators,
      TakenTerms taken,
      ServedSettlement settlement,
      SandboxBank bank,
      Optional<ChannelOrders> channels) {
    this.facilitators = Map.copyOf(facilitators);
    this.taken = taken;
    this.settlement = settlement;
    this.bank = bank;
    this.channels = channels;
  }

  /**
   * The facilitator of an application.
   *
   * @throws IllegalStateException if no gateway is mounted there
   */
  static ServedFacilitator of(Providers providers) {
    return Mounted.of(providers, ServedFacilitator.class);
  }

  byte[] verify(FacilitatorRequest request) {
    if (request.terms().isChannel()) {
      return FacilitatorMessages.answer(
          taken
              .ours(request.terms())
              .map(terms -> verifyChannel(request.payload(), terms))
              .orElseGet(() -> new VerifyResponse(false, taken.refusal(request.terms()), null)));
    }
    Verification verification = verification(request.payload(), request.terms());
    if (verification instanceof Verification.Valid valid) {
      String spent = settlement.spent(request.terms().network(), valid).orElse(null);
      return FacilitatorMessages.answer(new VerifyResponse(spent == null, spent, valid.payer()));
    }
    if (verification instanceof Verification.Late late) {
      return FacilitatorMessages.answer(
          new VerifyResponse(false, late.reason(), late.payment().payer()));
    }
    Verification.Invalid invalid = (Verification.Invalid) verification;
    return FacilitatorMessages.answer(new VerifyResponse(false, invalid.reason(), invalid.payer()));
  }

  private VerifyResponse verifyChannel(PaymentPayload payload, PaymentRequirements terms) {
    try {
      return asked(terms, () -> channels.orElseThrow().verify(payload, terms));
    } catch (MalformedPayment e) {
      return new VerifyResponse(false, INVALID_PAYLOAD, null);
    }
  }

  private SettlementResponse settleChannel(FacilitatorRequest request) {
    PaymentRequirements asked = request.terms();
    Optional<PaymentRequirements> terms =
        ChannelOrders.isOrder(request.payload()) ? taken.oursAtAll(asked) : taken.ours(asked);
    if (terms.isEmpty()) {
      return SettlementResponse.refused(taken.refusal(asked), asked.network(), null);
    }
    try {
      return asked(asked, () -> channels.orElseThrow().settle(request.payload(), terms.get()));
    } catch (MalformedPayment e) {
      return SettlementResponse.refused(INVALID_PAYLOAD, asked.network(), null);
    }
  }

  byte[] settle(FacilitatorRequest request, IdempotencyKey key) {
    if (request.terms().isChannel()) {
      return FacilitatorMessages.answer(settleChannel(request));
    }
    return FacilitatorMessages.answer(
        request.terms().isUpto()
            ? settleCharge(request, key)
            : settle(request, verification(request.payload(), request.terms()), key));
  }

  /** The payer signed a ceiling; the asker's terms say what it is charged. */
  private SettlementResponse settleCharge(FacilitatorRequest request, IdempotencyKey key) {
    PaymentRequirements charge = request.terms();
    String network = request.word(charge.network());
    BigInteger ceiling;
    try {
      ceiling = Permit2.ceiling(request.payload());
    } catch (MalformedPayment e) {
      return SettlementResponse.refused(INVALID_PAYLOAD, network, null);
    }
    Verification verification = verification(request.payload(), charge.atUnits(ceiling.toString()));
    if (!(verification instanceof Verification.Valid valid)) {
      return settle(request, verification, key);
    }
    if (charge.amount().equals(NOTHING)) {
      return SettlementResponse.settled("", network, valid.payer(), NOTHING);
    }
    if (taken.ours(charge).isEmpty()) {
      return SettlementResponse.refused(taken.refusal(charge), network, valid.payer());
    }
    return new BigInteger(charge.amount()).compareTo(ceiling) > 0
        ? SettlementResponse.refused(ABOVE_CEILING, network, valid.payer())
        : settle(request, verification, key);
  }

  private SettlementResponse settle(
      FacilitatorRequest request, Verification verification, IdempotencyKey key) {
    String network = request.word(request.terms().network());
    if (verification instanceof Verification.Invalid invalid) {
      return SettlementResponse.refused(invalid.reason(), network, invalid.payer());
    }
    Optional<PaymentRequirements> terms = taken.ours(request.terms());
    if (terms.isEmpty()) {
      return SettlementResponse.refused(taken.refusal(request.terms()), network, null);
    }
    return settlement
        .settle(
            facilitator(terms.get().network()), request.payload(), terms.get(), verification, key)
        .on(network, terms.get().amount());
  }

  byte[] supported() {
    Map<String, Map<String, Object>> exact = new LinkedHashMap<>();
    Map<String, Map<String, Object>> upto = new LinkedHashMap<>();
    Map<String, Map<String, Object>> channel = new LinkedHashMap<>();
    for (PaymentOption option : taken.options()) {
      String network = option.network();
      Facilitator facilitator = facilitator(network);
      if (option.isUpto()) {
        facilitator.uptoExtra(network).ifPresent(extra -> upto.put(network, extra));
      } else if (option.isChannel()) {
        facilitator.channelExtra(network).ifPresent(extra -> channel.put(network, extra));
      } else {
        facilitator.offerExtra(network).ifPresent(extra -> exact.put(network, extra));
      }
    }
    return FacilitatorMessages.supported(exact, upto, channel);
  }

  private Verification verification(PaymentPayload payload, PaymentRequirements asked) {
    return taken
        .ours(asked)
        .map(terms -> covered(verified(payload, terms), terms))
        .orElseGet(() -> new Verification.Invalid(taken.refusal(asked), null));
  }

  private Verification verified(PaymentPayload payload, PaymentRequirements terms) {
    try {
      return asked(terms, () -> facilitator(terms.network()).verify(payload, terms));
    } catch (MalformedPayment e) {
      return new Verification.Invalid(INVALID_PAYLOAD, null);
    }
  }

  private static <T> T asked(PaymentRequirements terms, Supplier<T> question) {
    try {
      return question.get();
    } catch (MalformedPayment | LedgerUnavailable | FacilitatorUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("The facilitator of {} failed", terms.network(), e);
      throw new FacilitatorUnavailable("the facilitator of " + terms.network() + " failed");
    }
  }

  /** Nothing is reserved here; the claim does that when it is settled. */
  private Verification covered(Verification verification, PaymentRequirements terms) {
    if (!(verification instanceof Verification.Valid valid)) {
      return verification;
    }
    long most = Long.MAX_VALUE;
    if (valid.spendable().isPresent()) {
      most = valid.spendable().getAsLong();
    } else if (facilitator(terms.network()).settlesInLedger()) {
      most = bank.balance(terms.network(), valid.payer(), terms.asset());
    }
    return terms.micros() <= most ? valid : new Verification.Late(INSUFFICIENT, valid);
  }

  private Facilitator facilitator(String network) {
    Facilitator facilitator = facilitators.get(network);
    if (facilitator == null) {
      throw new IllegalStateException("no facilitator for " + network + ", yet it was taken");
    }
    return facilitator;
  }

  /** The terms on which other servers' payments are taken. Immutable. */
  public static final class TakenTerms {

    private static final int MAX_TIMEOUT_SECONDS = 24 * 3600;
    private static final Pattern AMOUNT = Pattern.compile("[1-9][0-9]{0,45}");

    private final List<PaymentOption> options;

    /**
     * @param options what the gateway itself is paid in
     * @param ceilings whether askers may say what a ceiling is charged: a payer that may ask would
     *     have its own ceiling charged next to nothing
     * @param channels whether askers may have channels settled
     */
    public TakenTerms(List<PaymentOption> options, boolean ceilings, boolean channels) {
      this.options =
          options.stream()
              .filter(option -> channels || !option.isChannel())
              .filter(option -> ceilings || !option.isUpto())
              .toList();
    }

    List<PaymentOption> options() {
      return options;
    }

    /** The same terms in the one spelling of the ledger; empty if they are not taken. */
    Optional<PaymentRequirements> ours(PaymentRequirements terms) {
      boolean taken =
          AMOUNT.matcher(terms.amount()).matches()
              && terms.maxTimeoutSeconds() > 0
              && terms.maxTimeoutSeconds() <= MAX_TIMEOUT_SECONDS;
      return taken
          ? option(terms)
              .filter(option -> isCounted(terms.amount(), option.decimals()))
              .flatMap(option -> recipient(terms).map(payTo -> with(terms, option, payTo)))
          : Optional.empty();
    }

    /** The same where nothing is paid by the request, so that it names no amount and no time. */
    Optional<PaymentRequirements> oursAtAll(PaymentRequirements terms) {
      return option(terms)
          .flatMap(option -> recipient(terms).map(payTo -> with(terms, option, payTo)));
    }

    /** The same token, moved in the same way by the same scheme. */
    private Optional<PaymentOption> option(PaymentRequirements terms) {
      Object method = terms.extra(PaymentOption.TRANSFER_METHOD).orElse(null);
      return options.stream()
          .filter(option -> option.scheme().equals(terms.scheme()))
          .filter(option -> option.network().equals(terms.network()))
          .filter(option -> isSame(terms.network(), option.asset(), terms.asset()))
          .filter(
              option -> Objects.equals(option.extra().get(PaymentOption.TRANSFER_METHOD), method))
          .findFirst();
    }

    /** Whether the ledger can count it. */
    private static boolean isCounted(String amount, int decimals) {
      try {
        return !Usd.ofAtomic(new BigInteger(amount), decimals).isZero();
      } catch (ArithmeticException | IllegalArgumentException e) {
        return false;
      }
    }

    /** Why terms are not taken. */
    String refusal(PaymentRequirements terms) {
      if (options.stream().noneMatch(option -> option.scheme().equals(terms.scheme()))) {
        return "unsupported_scheme";
      }
      return options.stream().anyMatch(option -> option.network().equals(terms.network()))
          ? "invalid_payment_requirements"
          : "invalid_network";
    }

    private static boolean isSame(String network, String ours, String theirs) {
      return ChainFamily.of(network).isSame(ours, theirs);
    }

    private static Optional<String> recipient(PaymentRequirements terms) {
      if (ChainFamily.of(terms.network()) == ChainFamily.SOLANA) {
        return Optional.of(terms.payTo()).filter(ChainFamily.SOLANA::isAddress);
      }
      try {
        return Optional.of(EvmAddress.parse(terms.payTo()).toString());
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    private static PaymentRequirements with(
        PaymentRequirements terms, PaymentOption option, String recipient) {
      return new PaymentRequirements(
          terms.scheme(),
          terms.network(),
          terms.amount(),
          option.asset(),
          recipient,
          terms.maxTimeoutSeconds(),
          terms.extra(),
          option.decimals());
    }
  }
}
