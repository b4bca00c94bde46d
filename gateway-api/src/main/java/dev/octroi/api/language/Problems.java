package dev.octroi.api.language;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Problem;
import dev.octroi.services.language.translation.Translation.Protocols;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** Errors in the words of the caller's protocol. */
final class Problems {

  private static final int UNAVAILABLE = 503;

  private Problems() {}

  static Response response(Dialect dialect, Problem problem) {
    return response(problem, Protocols.of(dialect).writeError(problem));
  }

  static Response response(Problem problem, byte[] body) {
    Response.ResponseBuilder response =
        Response.status(problem.status())
            .entity(body)
            .type(MediaType.APPLICATION_JSON_TYPE)
            .header(HttpHeaders.CACHE_CONTROL, "no-store");
    if (problem.status() == UNAVAILABLE) {
      response.header(HttpHeaders.RETRY_AFTER, 1);
    }
    return response.build();
  }
}
