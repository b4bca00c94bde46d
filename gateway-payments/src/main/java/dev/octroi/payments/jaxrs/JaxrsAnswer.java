package dev.octroi.payments.jaxrs;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.flow.OutgoingAnswer;
import dev.octroi.payments.flow.StoredAnswers;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.Providers;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer of a resource method, before JAX-RS writes it.
 *
 * @param produces the media types that the method declares, in its order
 */
record JaxrsAnswer(
    ContainerRequestContext request,
    ContainerResponseContext response,
    Providers providers,
    List<MediaType> produces)
    implements OutgoingAnswer {

  private static final Logger LOG = LoggerFactory.getLogger(JaxrsAnswer.class);

  private static final Annotation[] NONE = {};
  private static final byte[] EMPTY = {};

  /** An answer in the words of JAX-RS. */
  static Response response(HttpAnswer answer) {
    Response.ResponseBuilder response = Response.status(answer.status());
    answer.headers().forEach(response::header);
    if (answer.body().length > 0) {
      response.entity(answer.body());
      String type = answer.headers().get(HttpHeaders.CONTENT_TYPE);
      response.type(type == null ? MediaType.APPLICATION_OCTET_STREAM : type);
    }
    return response.build();
  }

  @Override
  public int status() {
    return response.getStatus();
  }

  @Override
  public @Nullable String header(String name) {
    return response.getHeaderString(name);
  }

  @Override
  public void header(String name, String value) {
    response.getHeaders().putSingle(name, value);
  }

  @Override
  public boolean isStream() {
    return response.getEntity() instanceof StreamingOutput;
  }

  @Override
  public boolean isEmpty() {
    return !response.hasEntity();
  }

  @Override
  public byte[] freeze(int limit, LongConsumer room) throws IOException {
    Object entity = response.getEntity();
    if (entity == null) {
      return EMPTY;
    }
    MediaType type = AnswerBytes.mediaType(request, response, produces, entity);
    byte[] bytes = AnswerBytes.of(entity, type, response, providers, limit);
    room.accept(bytes.length);
    // A length that was stated for the entity before is no longer true.
    response.getHeaders().remove(HttpHeaders.CONTENT_LENGTH);
    response.setEntity(bytes, response.getEntityAnnotations(), type);
    return bytes;
  }

  @Override
  public void body(byte[] instead) {
    response.setEntity(instead, response.getEntityAnnotations(), response.getMediaType());
  }

  @Override
  public void replace(HttpAnswer instead) {
    replace(response, instead);
  }

  /** Replaces an answer that may not leave, and lets its upstream go (money, in JAX-RS). */
  static void replace(ContainerResponseContext response, HttpAnswer instead) {
    closeQuietly(response.getEntity());
    StoredAnswers.ENTITY_HEADERS.forEach(response.getHeaders()::remove);
    response.getHeaders().remove(HttpHeaders.CONTENT_LENGTH);
    Response other = response(instead);
    response.setStatus(other.getStatus());
    other.getHeaders().forEach((name, values) -> response.getHeaders().put(name, values));
    response.setEntity(other.getEntity(), NONE, other.getMediaType());
  }

  @Override
  public void stream(Runnable firstByte, Runnable end) {
    response.setEntity(
        new SoldStream((StreamingOutput) response.getEntity(), firstByte, end),
        response.getEntityAnnotations(),
        response.getMediaType());
  }

  private static void closeQuietly(@Nullable Object entity) {
    if (entity instanceof Closeable upstream) {
      try {
        upstream.close();
      } catch (IOException e) {
        LOG.debug("An upstream did not close", e);
      }
    }
  }

  /**
   * A stream that was settled before its first byte and counts as delivered with it; it is not
   * stored and not replayed (money rule 3).
   */
  private record SoldStream(StreamingOutput source, Runnable firstByte, Runnable end)
      implements StreamingOutput {

    @Override
    public void write(OutputStream out) throws IOException {
      try {
        source.write(new FirstByte(out, firstByte));
      } finally {
        end.run();
      }
    }

    private static final class FirstByte extends FilterOutputStream {

      private final Runnable seen;

      FirstByte(OutputStream out, Runnable seen) {
        super(out);
        this.seen = seen;
      }

      @Override
      public void write(int b) throws IOException {
        out.write(b);
        seen.run();
      }

      @Override
      public void write(byte[] b, int offset, int length) throws IOException {
        out.write(b, offset, length);
        seen.run();
      }
    }
  }
}
