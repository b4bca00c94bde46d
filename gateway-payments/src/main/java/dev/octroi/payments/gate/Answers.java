package dev.octroi.payments.gate;

import dev.octroi.payments.ledger.StoredAnswer;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.Closeable;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts answers into responses, takes them out, and keeps them for a payer who may come again. */
final class Answers {

  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

  /** What describes the entity itself; the node that answers makes all else anew. */
  private static final List<String> ENTITY_HEADERS =
      List.of(
          HttpHeaders.CONTENT_TYPE,
          HttpHeaders.CONTENT_ENCODING,
          HttpHeaders.CONTENT_LANGUAGE,
          HttpHeaders.CONTENT_LOCATION,
          "Content-Disposition",
          HttpHeaders.ETAG,
          HttpHeaders.LAST_MODIFIED,
          HttpHeaders.LOCATION,
          HttpHeaders.LINK);

  private static final Annotation[] NONE = {};

  private Answers() {}

  /** Replaces an answer that may not leave, and lets its upstream go (money, in JAX-RS). */
  static void replace(ContainerResponseContext response, Response instead) {
    closeQuietly(response.getEntity());
    ENTITY_HEADERS.forEach(response.getHeaders()::remove);
    response.getHeaders().remove(HttpHeaders.CONTENT_LENGTH);
    response.setStatus(instead.getStatus());
    instead.getHeaders().forEach((name, values) -> response.getHeaders().put(name, values));
    response.setEntity(instead.getEntity(), NONE, instead.getMediaType());
  }

  /** The answer as it will leave. */
  static StoredAnswer stored(ContainerResponseContext response, byte[] body) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : ENTITY_HEADERS) {
      String value = response.getHeaderString(name);
      if (value != null) {
        headers.put(name, value);
      }
    }
    return new StoredAnswer(response.getStatus(), headers, body);
  }

  /** A stored answer, once more. */
  static Response restored(StoredAnswer answer) {
    Response.ResponseBuilder response = Response.status(answer.status());
    answer.headers().forEach(response::header);
    if (answer.body().length > 0) {
      String type = answer.headers().get(HttpHeaders.CONTENT_TYPE);
      response.entity(answer.body());
      response.type(type == null ? MediaType.APPLICATION_OCTET_STREAM : type);
    }
    return response.build();
  }

  private static void closeQuietly(Object entity) {
    if (entity instanceof Closeable upstream) {
      try {
        upstream.close();
      } catch (IOException e) {
        LOG.debug("An upstream did not close", e);
      }
    }
  }
}
