package dev.octroi.services.cryptodata;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The group's own codes for the vendor's errors (specification, service error codes). */
final class VendorErrors {

  private static final int LONGEST_MESSAGE = 300;

  private VendorErrors() {}

  /** What a caller of a read is told. */
  static Failure ofRead(UpstreamAnswer answer) {
    return switch (answer.status()) {
      case 400, 413, 414, 422 ->
          new Failure(
              ErrorCode.INVALID_PARAMS, message(answer).orElse("A parameter is not accepted"));
      case 404, 410 -> unknown(error(answer, "message"));
      default -> Failures.of(answer);
    };
  }

  /**
   * What a caller of SQL is told: what would be a bad parameter is bad SQL.
   *
   * @param words says it in the caller's names of tables
   */
  static Failure ofSql(UpstreamAnswer answer, UnaryOperator<String> words) {
    if (timedOut(answer)) {
      return queryTimeout();
    }
    return switch (answer.status()) {
      case 400, 404, 422 ->
          new Failure(
              ErrorCode.SQL_SYNTAX_ERROR,
              message(answer).map(words).orElse("The statement is not accepted"));
      default -> ofRead(answer);
    };
  }

  /** What a caller of a structured query is told. */
  static Failure ofQuery(UpstreamAnswer answer) {
    return timedOut(answer) ? queryTimeout() : ofRead(answer);
  }

  static Failure queryTimeout() {
    return new Failure(ErrorCode.QUERY_TIMEOUT, "The query ran for more than 30 seconds");
  }

  /**
   * What a caller is told who named something that is not there.
   *
   * @param reason the vendor's, or blank
   */
  static Failure unknown(String reason) {
    String told = "There is nothing of that slug, address, pair or id";
    return new Failure(ErrorCode.NOT_FOUND, isFit(reason) ? told + ": " + reason.strip() : told);
  }

  private static boolean timedOut(UpstreamAnswer answer) {
    String code = error(answer, "code").toLowerCase(Locale.ROOT);
    return answer.status() == 408 || answer.status() == 504 || code.contains("timeout");
  }

  /** The vendor's words, where they are short and hold no address. */
  private static Optional<String> message(UpstreamAnswer answer) {
    return Optional.of(error(answer, "message")).filter(VendorErrors::isFit);
  }

  private static boolean isFit(String message) {
    return !message.isBlank()
        && message.length() <= LONGEST_MESSAGE
        && !message.contains("://")
        && message.chars().noneMatch(Character::isISOControl);
  }

  private static String error(UpstreamAnswer answer, String member) {
    return UpstreamJson.tree(answer.body()).path("error").path(member).asText("");
  }
}
