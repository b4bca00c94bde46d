package dev.octroi.payments.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.Providers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Turns the entity of an answer into the bytes that will leave, before anything is charged for
 * them: an entity that cannot be written is not charged, and what is stored is what was sold.
 */
final class AnswerBytes {

  private AnswerBytes() {}

  /**
   * The bytes of an entity.
   *
   * @throws IOException if no writer can write it, or it is too long; what its writer throws
   *     besides is passed on
   */
  static byte[] of(
      Object entity,
      MediaType type,
      ContainerResponseContext response,
      Providers providers,
      int limit)
      throws IOException {
    if (entity instanceof byte[] bytes) {
      return bytes;
    }
    if (entity instanceof String text) {
      return text.getBytes(charset(type));
    }
    BoundedBytes out = new BoundedBytes(limit);
    write(entity, entity.getClass(), type, response, providers, out);
    return out.toByteArray();
  }

  @SuppressWarnings("unchecked")
  private static <T> void write(
      Object entity,
      Class<T> raw,
      MediaType type,
      ContainerResponseContext response,
      Providers providers,
      BoundedBytes out)
      throws IOException {
    Type generic = response.getEntityType() == null ? raw : response.getEntityType();
    Annotation[] annotations = annotations(response);
    MessageBodyWriter<T> writer = providers.getMessageBodyWriter(raw, generic, annotations, type);
    if (writer == null) {
      throw new IOException("nothing writes " + raw.getName() + " as " + type);
    }
    writer.writeTo((T) entity, raw, generic, annotations, type, response.getHeaders(), out);
  }

  private static Annotation[] annotations(ContainerResponseContext response) {
    Annotation[] annotations = response.getEntityAnnotations();
    return annotations == null ? new Annotation[0] : annotations;
  }

  /** The media type of an entity: CXF chooses it only after the response filters. */
  static MediaType mediaType(
      ContainerRequestContext request,
      ContainerResponseContext response,
      List<MediaType> produces,
      Object entity) {
    MediaType chosen = response.getMediaType();
    if (chosen != null && !chosen.isWildcardType() && !chosen.isWildcardSubtype()) {
      return chosen;
    }
    return negotiated(produces, request, entity);
  }

  private static MediaType negotiated(
      List<MediaType> produced, ContainerRequestContext request, Object entity) {
    for (MediaType accepted : request.getAcceptableMediaTypes()) {
      for (MediaType candidate : produced) {
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
