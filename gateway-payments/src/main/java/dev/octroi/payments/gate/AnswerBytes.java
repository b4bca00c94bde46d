package dev.octroi.payments.gate;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.Providers;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns the entity of an answer into the bytes that will leave, before anything is charged for
 * them: an entity that cannot be written is not charged, and what is stored is what was sold.
 *
 * @param limit longest answer in bytes
 * @param priceInBody whether answers of a path get the price as a member
 */
record AnswerBytes(int limit, Predicate<String> priceInBody) {

  private static final byte[] EMPTY = {};

  /**
   * Freezes the entity and adds the price where it belongs.
   *
   * @throws IOException if no writer can write it, its writer fails, or it is too long
   */
  byte[] freeze(PaidCall call, ContainerResponseContext response, Providers providers)
      throws IOException {
    Object entity = response.getEntity();
    if (entity == null) {
      return EMPTY;
    }
    MediaType type = mediaType(call, response, entity);
    byte[] bytes = bytes(entity, type, response, providers);
    if (isPlainJson(type, response) && priceInBody.test(call.incoming().path())) {
      bytes = PriceSplice.into(bytes, call.charge());
    }
    // A length that somebody stated for the entity before is no longer true.
    response.getHeaders().remove(HttpHeaders.CONTENT_LENGTH);
    response.setEntity(bytes, response.getEntityAnnotations(), type);
    return bytes;
  }

  private byte[] bytes(
      Object entity, MediaType type, ContainerResponseContext response, Providers providers)
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
    try {
      writer.writeTo((T) entity, raw, generic, annotations, type, response.getHeaders(), out);
    } catch (RuntimeException e) {
      throw new IOException("the writer of " + raw.getName() + " failed", e);
    }
  }

  private static Annotation[] annotations(ContainerResponseContext response) {
    Annotation[] annotations = response.getEntityAnnotations();
    return annotations == null ? new Annotation[0] : annotations;
  }

  /** CXF chooses the media type only after the response filters. */
  private static MediaType mediaType(
      PaidCall call, ContainerResponseContext response, Object entity) {
    MediaType chosen = response.getMediaType();
    if (chosen != null && !chosen.isWildcardType() && !chosen.isWildcardSubtype()) {
      return chosen;
    }
    return negotiated(call.method().produces(), call.incoming().context(), entity);
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

  private static boolean isPlainJson(MediaType type, ContainerResponseContext response) {
    String subtype = type.getSubtype().toLowerCase(Locale.ROOT);
    boolean json = subtype.equals("json") || subtype.endsWith("+json");
    return json
        && isUtf8(type.getParameters().get(MediaType.CHARSET_PARAMETER))
        && response.getHeaderString(HttpHeaders.CONTENT_ENCODING) == null;
  }

  private static boolean isUtf8(@Nullable String charset) {
    return charset == null || charset.equalsIgnoreCase("utf-8");
  }
}
