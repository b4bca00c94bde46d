package dev.octroi.payments.jaxrs;

import dev.octroi.payments.CallRefused;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** StoredAnswers what a method throws whose payment could not be settled before its effect. */
final class CallRefusedMapper implements ExceptionMapper<CallRefused> {

  @Override
  public Response toResponse(CallRefused refused) {
    return JaxrsAnswer.response(refused.answer());
  }
}
