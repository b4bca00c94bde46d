package dev.octroi.api.read;

import dev.octroi.payments.Payment;
import dev.octroi.services.Answer;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

/** From what an upstream said to what leaves. */
public final class Answers {

  private Answers() {}

  public static Response response(Answer answer) {
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
