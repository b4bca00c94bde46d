package dev.octroi.payments.jaxrs;

import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.flow.OutgoingAnswer;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.Providers;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
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

  /** What Jersey writes once the answer has left: no writer has its bytes before. */
  private static final String WRITTEN_LATER = "org.glassfish.jersey.server.ChunkedOutput";

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
    MediaType type = mediaType(entity);
    byte[] bytes = bytes(entity, type, limit);
    room.accept(bytes.length);
    // A length that was stated for the entity before is no longer true.
    response.getHeaders().remove(HttpHeaders.CONTENT_LENGTH);
    response.setEntity(bytes, response.getEntityAnnotations(), type);
    return bytes;
  }

  /**
   * The bytes of an entity, before anything is charged for them: one that cannot be written is not
   * charged, and what is stored is what was sold.
   *
   * @throws IOException if no writer can write it, or it is too long; what its writer throws
   *     besides is passed on
   */
  private byte[] bytes(Object entity, MediaType type, int limit) throws IOException {
    if (entity instanceof byte[] bytes) {
      return bytes;
    }
    if (entity instanceof String text) {
      return text.getBytes(charset(type));
    }
    BoundedBytes out = new BoundedBytes(limit);
    write(entity, entity.getClass(), type, out);
    return out.toByteArray();
  }

  @SuppressWarnings("unchecked")
  private <T> void write(Object entity, Class<T> raw, MediaType type, BoundedBytes out)
      throws IOException {
    Type generic = response.getEntityType() == null ? raw : response.getEntityType();
    Annotation[] annotations = annotations();
    MessageBodyWriter<T> writer = providers.getMessageBodyWriter(raw, generic, annotations, type);
    boolean later =
        Stream.<Class<?>>iterate(raw, Objects::nonNull, Class::getSuperclass)
            .anyMatch(kind -> kind.getName().equals(WRITTEN_LATER));
    if (writer == null || later) {
      throw new IOException("nothing writes " + raw.getName() + " as " + type);
    }
    writer.writeTo((T) entity, raw, generic, annotations, type, response.getHeaders(), out);
  }

  private Annotation[] annotations() {
    Annotation[] annotations = response.getEntityAnnotations();
    return annotations == null ? NONE : annotations;
  }

  /** The media type of an entity: CXF chooses it only after the response filters. */
  private MediaType mediaType(Object entity) {
    MediaType chosen = response.getMediaType();
    if (chosen != null && !chosen.isWildcardType() && !chosen.isWildcardSubtype()) {
      return chosen;
    }
    return negotiated(entity);
  }

  private MediaType negotiated(Object entity) {
    for (MediaType accepted : request.getAcceptableMediaTypes()) {
      for (MediaType candidate : produces) {
        if (accepted.isCompatible(candidate) && !candidate.isWildcardSubtype()) {
          return candidate;
        }
      }
    }
    if (entity instanceof byte[]) {
      return MediaType.APPLICATION_OCTET_STREAM_TYPE;
    }
    return entity instanceof String ? MediaType.TEXT_PLAIN_TYPE : MediaType.APPLICATION_JSON_TYPE;
  }

  private static Charset charset(MediaType type) {
    String charset = type.getParameters().get(MediaType.CHARSET_PARAMETER);
    return charset == null ? StandardCharsets.UTF_8 : Charset.forName(charset);
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
    ENTITY_HEADERS.forEach(response.getHeaders()::remove);
    response.getHeaders().remove(HttpHeaders.CONTENT_LENGTH);
    Response other = response(instead);
    response.setStatus(other.getStatus());
    other.getHeaders().forEach((name, values) -> response.getHeaders().put(name, values));
    response.setEntity(other.getEntity(), NONE, other.getMediaType());
  }

  @Override
  public void stream(Runnable firstByte, Runnable unbegun, Runnable end) {
    response.setEntity(
        new SoldStream((StreamingOutput) response.getEntity(), firstByte, unbegun, end),
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
  private record SoldStream(
      StreamingOutput source, Runnable firstByte, Runnable unbegun, Runnable end)
      implements StreamingOutput {

    @Override
    public void write(OutputStream out) throws IOException {
      FirstByte sold = new FirstByte(out, firstByte);
      try {
        source.write(sold);
      } catch (IOException | RuntimeException | Error e) {
        if (!sold.begun) {
          unbegun.run();
        }
        throw e;
      } finally {
        end.run();
      }
    }

    private static final class FirstByte extends FilterOutputStream {

      private final Runnable seen;
      private boolean begun;

      FirstByte(OutputStream out, Runnable seen) {
        super(out);
        this.seen = seen;
      }

      @Override
      public void write(int b) throws IOException {
        begun = true;
        out.write(b);
        seen.run();
      }

      @Override
      public void write(byte[] b, int offset, int length) throws IOException {
        begun = true;
        out.write(b, offset, length);
        seen.run();
      }
    }
  }

  /** Collects an answer up to a limit, so that one endless entity cannot fill the heap. */
  private static final class BoundedBytes extends OutputStream {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int limit;

    BoundedBytes(int limit) {
      this.limit = limit;
    }

    @Override
    public void write(int b) throws IOException {
      require(1);
      bytes.write(b);
    }

    @Override
    public void write(byte[] b, int offset, int length) throws IOException {
      require(length);
      bytes.write(b, offset, length);
    }

    byte[] toByteArray() {
      return bytes.toByteArray();
    }

    private void require(int more) throws IOException {
      if (bytes.size() + (long) more > limit) {
        throw new IOException("the answer is longer than " + limit + " bytes; stream it");
      }
    }
  }
}
