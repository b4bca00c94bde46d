package dev.octroi.api.error;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.octroi.api.error.ErrorAnswer.ErrorBodies;
import dev.octroi.api.group.Addressed;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.payments.CallFailure;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.lang.annotation.Annotation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives errors the shape of the group that was addressed (decisions, error shapes). A filter and
 * not part of the mapper, because only a filter is given the request on every implementation. An
 * error without a body is an implementation's own, made where it asked no mapper, and is flat.
 */
public final class ErrorShapes implements ContainerResponseFilter {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorShapes.class);

  private static final Annotation[] NONE = {};
  private static final String MESSAGES_ERROR = "{\"type\":\"error\"";
  private static final String MEMBER = "\"request_id\"";

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getStatus() >= 400 && !response.hasEntity() && Addressed.isOurs(request)) {
      response.setEntity(
          ErrorAnswer.flat(response.getStatus()), NONE, MediaType.APPLICATION_JSON_TYPE);
      response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
    }
    if (response.getEntity() instanceof ErrorAnswer error) {
      response.setEntity(body(JaxrsExchange.of(request), error));
    } else if (response.getEntity() instanceof ErrorAnswer.Written written) {
      Exchange exchange = JaxrsExchange.of(request);
      CallFailure.of(exchange).noteReason(written.reason());
      response.setEntity(identified(exchange, written.body()));
    } else if (response.getStatus() >= 400 && response.getEntity() instanceof byte[] told) {
      response.setEntity(identified(JaxrsExchange.of(request), told));
    }
  }

  /**
   * An error of the messages protocol with the id of its request, which that protocol's callers
   * find in the body too; any other as it is.
   */
  private static byte[] identified(Exchange request, byte[] told) {
    String text = new String(told, UTF_8).strip();
    if (!text.startsWith(MESSAGES_ERROR) || text.contains(MEMBER)) {
      return told;
    }
    return (text.substring(0, text.length() - 1)
            + ","
            + MEMBER
            + ":\""
            + RequestId.of(request)
            + "\"}")
        .getBytes(UTF_8);
  }

  private static byte[] body(Exchange request, ErrorAnswer error) {
    CallFailure.of(request).noteReason(error.reason());
    if (error.detail() != null) {
      LOG.warn("{} {}: {}", request.method(), request.path(), error.reason());
    }
    ErrorShape shape =
        error.flat()
            ? ErrorShape.FLAT
            : Addressed.group(request)
                .map(group -> group.profile().errors())
                .orElse(ErrorShape.FLAT);
    return identified(request, ErrorBodies.of(error, shape));
  }

  /** What a failure of a call is answered, where no filter of JAX-RS shapes it. */
  public static HttpAnswer answer(Exchange request, Throwable thrown) {
    Response mapped = new ErrorMapper().toResponse(thrown);
    Map<String, String> headers = new LinkedHashMap<>();
    mapped.getStringHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
    byte[] body =
        mapped.getEntity() instanceof ErrorAnswer error
            ? body(request, error)
            : (byte[]) mapped.getEntity();
    return new HttpAnswer(mapped.getStatus(), headers, body);
  }

  /** An error in the shape of the group that was addressed. */
  public static HttpAnswer answer(Exchange request, ErrorAnswer error) {
    return HttpAnswer.json(error.status(), body(request, error));
  }
}
