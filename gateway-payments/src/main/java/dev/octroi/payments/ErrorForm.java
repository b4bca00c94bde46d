package dev.octroi.payments;

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
