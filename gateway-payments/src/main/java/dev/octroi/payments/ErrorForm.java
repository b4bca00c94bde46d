package dev.octroi.payments;

import jakarta.ws.rs.core.Response;

/** How a host's errors look, for those that the gate makes in the name of a paid method. */
@FunctionalInterface
public interface ErrorForm {

  /**
   * An error before or with its body.
   *
   * @param status 401 or 403
   * @param code diagnostic word such as {@code invalid_api_key}
   * @param sentence for the caller
   */
  Response answer(int status, String code, String sentence);
}
