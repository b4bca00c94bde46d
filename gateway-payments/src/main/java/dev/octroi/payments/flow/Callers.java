package dev.octroi.payments.flow;

import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.PayerPolicy;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.ApiKey;
import dev.octroi.payments.ledger.ClaimRequest.CallOrigin;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the gate knows of callers beside their payments.
 *
 * @param accounts those who may call by API key; empty: credentials are the host's business
 * @param policy whose money is taken
 * @param scopes the group of endpoints that a request is for, by the host's word; empty if none
 * @param requestIds the id that the answer will carry; empty if none
 * @param errors how errors of credentials look
 */
public record Callers(
    Optional<Accounts> accounts,
    PayerPolicy policy,
    Function<Exchange, String> scopes,
    Function<Exchange, String> requestIds,
    ErrorForm errors) {

  private static final int MAX_TEXT = 64;

  /** API keys are not read, every payer's money is taken, errors are flat. */
  public static Callers anybody() {
    return new Callers(
        Optional.empty(),
        PayerPolicy.EVERYBODY,
        request -> "",
        request -> "",
        (request, status, code, sentence) -> HttpAnswer.error(status, sentence));
  }

  /** What a payment is remembered with. */
  CallOrigin origin(Exchange request, Optional<ApiKey> key) {
    return new CallOrigin(
        key.map(ApiKey::id), bounded(scopes.apply(request)), bounded(requestIds.apply(request)));
  }

  /** 403: the policy does not take this payer's money. */
  HttpAnswer payerRefused(Exchange request) {
    return errors.answer(request, 403, "payer_refused", "Payments of this payer are not taken.");
  }

  private static String bounded(String text) {
    return text.substring(0, Math.min(text.length(), MAX_TEXT));
  }

  /** How a host's errors look, for those that the gate makes in the name of a paid method. */
  @FunctionalInterface
  public interface ErrorForm {

    /**
     * An error with its body.
     *
     * @param request what is answered
     * @param status 401, 403 or 404
     * @param code diagnostic word such as {@code invalid_api_key}
     * @param sentence for the caller
     */
    HttpAnswer answer(Exchange request, int status, String code, String sentence);
  }
}
