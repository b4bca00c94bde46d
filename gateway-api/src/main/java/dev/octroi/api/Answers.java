package dev.octroi.api;

import dev.octroi.payments.Payment;
import dev.octroi.services.Answer;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/** From what an upstream said to what leaves. */
final class Answers {

  private Answers() {}

  static Response response(Answer answer) {
    Response.ResponseBuilder response =
        Response.status(answer.status())
            .entity(answer.body())
            .header(HttpHeaders.CONTENT_TYPE, answer.mediaType());
    answer.headers().forEach(response::header);
    if (!answer.charged()) {
      response.header(Payment.UNCHARGED, "true");
    }
    return response.build();
  }
}
