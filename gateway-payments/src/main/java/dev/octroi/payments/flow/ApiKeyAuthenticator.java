package dev.octroi.payments.flow;

import dev.octroi.payments.Admission;
import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Usd;
import dev.octroi.payments.account.Accounts;
import dev.octroi.payments.account.ApiKey;
import java.util.Optional;

/** Recognises API keys, and says what they may do (decisions, credentials). Thread-safe. */
record ApiKeyAuthenticator(Callers callers, Admission admission) {

  private static final String API_KEY = "x-api-key";
  private static final String KEY_PREFIX = "sk-";
  private static final String BEARER = "bearer ";

  /**
   * The key that a request calls by; empty if it names none. Throws {@link CallRefused}: 401 for a
   * key that is not good, which counts as an unpaid call; 400 for two that differ. A good key is
   * served whatever others tried from the same address: they may come through the same proxy.
   */
  Optional<ApiKey> key(Exchange request) {
    Optional<Accounts> accounts = callers.accounts();
    Optional<String> secret = accounts.isEmpty() ? Optional.empty() : secret(request);
    if (accounts.isEmpty() || secret.isEmpty()) {
      return Optional.empty();
    }
    Optional<ApiKey> key = accounts.get().recognise(secret.get(), () -> admission.unpaid(request));
    if (key.isEmpty()) {
      throw new CallRefused(unauthorized(request));
    }
    return key;
  }

  private static Optional<String> secret(Exchange request) {
    Optional<String> bearer =
        Optional.ofNullable(request.header("Authorization"))
            .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
            .map(value -> value.substring(BEARER.length()).strip());
    Optional<String> header =
        Optional.ofNullable(request.header(API_KEY))
            .map(String::strip)
            .filter(value -> value.startsWith(KEY_PREFIX));
    if (bearer.isPresent() && header.isPresent() && !bearer.equals(header)) {
      throw new CallRefused(HttpAnswer.error(400, "Authorization and x-api-key differ; send one."));
    }
    return bearer.or(() -> header);
  }

  /** Throws {@link CallRefused} with 403 where a key may not make this call. */
  void permit(ApiKey key, Exchange request, Usd price) {
    if (!key.permits(callers.scopes().apply(request))) {
      throw new CallRefused(
          forbidden(
              request, "group_not_allowed", "This API key may not call this group of endpoints."));
    }
    if (key.limits().perCall().filter(most -> price.compareTo(most) > 0).isPresent()) {
      throw new CallRefused(overLimit(request, "per-call"));
    }
  }

  HttpAnswer overLimit(Exchange request, String limit) {
    return forbidden(
        request,
        "spend_limit_exceeded",
        "The " + limit + " spend limit of this API key is reached.");
  }

  private HttpAnswer forbidden(Exchange request, String code, String sentence) {
    return callers.errors().answer(request, 403, code, sentence);
  }

  private HttpAnswer unauthorized(Exchange request) {
    return callers
        .errors()
        .answer(request, 401, "invalid_api_key", "Invalid API key.")
        .with("WWW-Authenticate", "Bearer");
  }
}
