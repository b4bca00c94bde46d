package dev.octroi.api.facilitator;

import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.chain.ChainFamily;
import dev.octroi.payments.facilitator.Facilitator;
import dev.octroi.payments.facilitator.PaymentKey;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.Verification;
import dev.octroi.payments.ledger.Claim;
import dev.octroi.payments.ledger.ClaimRequest;
import dev.octroi.payments.ledger.ClaimRequest.RequestBinding;
import dev.octroi.payments.ledger.ClaimResult;
import dev.octroi.payments.ledger.Ledger;
import dev.octroi.payments.ledger.LedgerUnavailable;
import dev.octroi.payments.ledger.Purchases.Purchase;
import dev.octroi.payments.ledger.StoredAnswer;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import dev.octroi.payments.x402.SettlementResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles other servers' payments, each a row of its own in the ledger: claimed, settled, and
 * written down before and after, exactly as a call of the gateway (money rules 1 to 3). Of any
 * number of requests for one payment, on any node, one sends it and hears that it settled, as often
 * as it asks with its key. The others hear that it is pending, and then that it is used.
 * Thread-safe.
 */
public final class ServedSettlement {

  private static final Logger LOG = LoggerFactory.getLogger(ServedSettlement.class);

  /** What is kept is only that it settled; with which transaction, the ledger knows. */
  private static final StoredAnswer SETTLED = new StoredAnswer(200, Map.of(), new byte[0]);

  private final Ledger ledger;
  private final long unsettledPerPayer;

  /**
   * @param unsettledPerPayer atomic units that a payer may have unsettled where the facilitator
   *     tells no balance (money rule 8)
   */
  public ServedSettlement(Ledger ledger, long unsettledPerPayer) {
    this.ledger = ledger;
    this.unsettledPerPayer = unsettledPerPayer;
  }

  /**
   * Settles a payment once.
   *
   * @param verification valid or late; a late one may have settled before
   * @param key what the asker may ask again by
   * @throws LedgerUnavailable if nothing was sent because the ledger did not answer
   */
  ServedOutcome settle(
      Facilitator facilitator,
      PaymentPayload payload,
      PaymentRequirements terms,
      Verification verification,
      IdempotencyKey key) {
    if (verification instanceof Verification.Late late) {
      ClaimRequest request = request(facilitator, payload, terms, late.payment(), key);
      return told(ledger.redeliver(request), request, late.reason(), late.payment().payer());
    }
    Verification.Valid valid = (Verification.Valid) verification;
    ClaimRequest request = request(facilitator, payload, terms, valid, key);
    ClaimResult result = ledger.claim(request);
    return result instanceof ClaimResult.Claimed claimed
        ? sent(facilitator, payload, terms, claimed.claim(), valid.payer())
        : told(result, request, "settlement_failed", valid.payer());
  }

  /** Why a payment that is good by itself cannot settle any more; empty if it can. */
  Optional<String> spent(String network, Verification.Valid valid) {
    return ledger
        .purchases()
        .find(new PaymentKey(network, valid.payer(), valid.nonce()))
        .map(
            before ->
                switch (before.state()) {
                  case SETTLED -> used(network);
                  case FAILED -> reason(before);
                  default -> ServedOutcome.PENDING;
                });
  }

  private ServedOutcome sent(
      Facilitator facilitator,
      PaymentPayload payload,
      PaymentRequirements terms,
      Claim claim,
      String payer) {
    if (facilitator.settlesInLedger()) {
      return outcome(ledger.settleHere(claim, SETTLED), claim, payer);
    }
    if (!ledger.settling(claim, SETTLED)) {
      // Another node has taken the claim over, and may be sending it.
      return ServedOutcome.pending(null, payer);
    }
    Settlement outcome = attempt(facilitator, payload, terms, claim);
    try {
      return ledger.settled(claim, outcome)
          ? outcome(outcome, claim, payer)
          : ServedOutcome.pending(null, payer);
    } catch (LedgerUnavailable e) {
      // The outcome itself is certain; the ledger will find it on the chain, from SETTLING.
      LOG.error("Payment {}: {} could not be written down", claim.id(), outcome, e);
      return outcome(outcome, claim, payer);
    }
  }

  private static Settlement attempt(
      Facilitator facilitator, PaymentPayload payload, PaymentRequirements terms, Claim claim) {
    try {
      return facilitator.settle(payload, terms, claim.attemptName());
    } catch (RuntimeException | Error e) {
      LOG.error("The facilitator of {} failed during settlement", terms.network(), e);
      return new Settlement.Unknown("facilitator_failed", null);
    }
  }

  private ServedOutcome outcome(Settlement outcome, Claim claim, String payer) {
    if (outcome instanceof Settlement.Settled settled) {
      // What became of it is told from its row: there is no answer that the ledger would owe.
      ledger.delivered(claim);
      return ServedOutcome.settled(settled.transaction(), payer, Long.toString(claim.amount()));
    }
    if (outcome instanceof Settlement.Refused refused) {
      return ServedOutcome.failed(refused.reason(), payer);
    }
    if (outcome instanceof Settlement.Unsent) {
      return ServedOutcome.failed(ServedOutcome.NOT_SENT, payer);
    }
    return outcome instanceof Settlement.Sent sent
        ? ServedOutcome.pending(sent.transaction(), payer)
        : ServedOutcome.pending(((Settlement.Unknown) outcome).transaction(), payer);
  }

  /**
   * What is told of a payment that another request sends, or has sent.
   *
   * @param otherwise why it cannot settle if it never began to
   */
  private ServedOutcome told(
      ClaimResult result, ClaimRequest request, String otherwise, String payer) {
    if (result instanceof ClaimResult.Insufficient) {
      return ServedOutcome.failed("insufficient_funds", payer);
    }
    return ledger
        .purchases()
        .find(request.key())
        .map(before -> told(before, request, payer))
        .orElseGet(
            () ->
                result instanceof ClaimResult.Failed
                    ? ServedOutcome.failed(otherwise, payer)
                    : ServedOutcome.pending(null, payer));
  }

  /** A success is told to the one who asked first, for another one would deliver on it again. */
  private static ServedOutcome told(Purchase before, ClaimRequest request, String payer) {
    return switch (before.state()) {
      case SETTLED ->
          isTheSame(before, request)
              ? ServedOutcome.settled(
                  String.valueOf(before.transaction()), payer, Long.toString(before.charged()))
              : ServedOutcome.failed(used(request.key().network()), payer);
      case FAILED -> ServedOutcome.failed(reason(before), payer);
      default -> ServedOutcome.pending(before.transaction(), payer);
    };
  }

  private static boolean isTheSame(Purchase before, ClaimRequest request) {
    return !request.binding().query().isEmpty()
        && before.method().equals(request.binding().method())
        && before.path().equals(request.binding().path())
        && before.query().equals(request.binding().query())
        && before.envelopeHash().equals(request.envelopeHash())
        && before.charged() == request.amount()
        && before.payTo().equals(request.payTo())
        && before.asset().equals(request.asset());
  }

  private static String reason(Purchase before) {
    return Objects.requireNonNullElse(before.reason(), "settlement_failed");
  }

  private static String used(String network) {
    return ChainFamily.of(network).usedBefore();
  }

  private ClaimRequest request(
      Facilitator facilitator,
      PaymentPayload payload,
      PaymentRequirements terms,
      Verification.Valid valid,
      IdempotencyKey key) {
    long amount = terms.micros();
    boolean told = valid.spendable().isPresent() || facilitator.settlesInLedger();
    return new ClaimRequest(
            new PaymentKey(terms.network(), valid.payer(), valid.nonce()),
            // Of no two requests the same, so that the ledger gives none of them the answer of
            // another.
            new RequestBinding(
                "POST",
                RequestBinding.SETTLED_FOR_OTHERS,
                key.query(),
                Sha256.hex(bytes(UUID.randomUUID()))),
            Sha256.hex(payload.envelope()),
            amount,
            terms.asset(),
            terms.payTo(),
            valid.validBefore(),
            valid.spendable(),
            Redelivery.STORED)
        .trustedWith(
            told ? OptionalLong.empty() : OptionalLong.of(Math.max(unsettledPerPayer, amount)));
  }

  private static byte[] bytes(UUID word) {
    return word.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * How settling another server's payment went.
   *
   * @param transaction empty where there is none
   * @param reason null for a success
   */
  record ServedOutcome(
      String transaction, @Nullable String reason, String payer, @Nullable String amount) {

    /** Indeterminate, to the server that asks: never a failure, and good to be asked again. */
    static final String PENDING = "settlement_pending";

    /** No transaction was sent. */
    static final String NOT_SENT = "settlement_not_sent";

    static ServedOutcome settled(String transaction, String payer, String amount) {
      return new ServedOutcome(transaction, null, payer, amount);
    }

    static ServedOutcome failed(String reason, String payer) {
      return new ServedOutcome("", reason, payer, null);
    }

    static ServedOutcome pending(@Nullable String transaction, String payer) {
      return new ServedOutcome(transaction == null ? "" : transaction, PENDING, payer, null);
    }

    /** The answer, under the asker's name for the network, and for the amount of its terms. */
    SettlementResponse on(String network, String atomic) {
      String moved = amount == null ? null : atomic;
      return new SettlementResponse(reason == null, transaction, network, payer, reason, moved);
    }
  }

  /**
   * What an asker calls its settlement, so that it may ask again for an answer that was lost. Kept
   * with the payment as a hash that also covers the asker's credential: another asker neither reads
   * nor guesses it. Immutable.
   *
   * @param query how it stands in the payment's binding; empty if the asker gave no key
   */
  record IdempotencyKey(String query) {

    static final String HEADER = "Idempotency-Key";

    /** What a key may be, for an asker that sent another. */
    static final String RULE =
        "The header Idempotency-Key has 16 to 128 visible ASCII characters, and no comma.";

    private static final Pattern KEY = Pattern.compile("[!-+\\--~]{16,128}");

    /**
     * The key of a request; empty if it is not one.
     *
     * @param stated the header, null if there is none
     * @param credential the header {@code Authorization}, null if there is none
     */
    static Optional<IdempotencyKey> of(@Nullable String stated, @Nullable String credential) {
      if (stated == null) {
        return Optional.of(new IdempotencyKey(""));
      }
      if (!KEY.matcher(stated).matches()) {
        return Optional.empty();
      }
      String bound = stated + "\n" + (credential == null ? "" : credential);
      return Optional.of(
          new IdempotencyKey("key=" + Sha256.hex(bound.getBytes(StandardCharsets.UTF_8))));
    }
  }
}
