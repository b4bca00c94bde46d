package dev.octroi.api.http;

import dev.octroi.api.group.Addressed;
import dev.octroi.payments.Exchange;
import dev.octroi.payments.jaxrs.JaxrsExchange;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Compresses answers for callers that ask, after everything else has had its say: the payment gate
 * stores and completes plain bytes. Bodies that are streamed are left alone.
 */
public final class Compression implements ContainerResponseFilter, WriterInterceptor {

  private static final String WANTED = "dev.octroi.api.gzip";

  private static final String GZIP = "gzip";

  private final int smallest;

  /**
   * @param smallest length in bytes from which compressing pays
   */
  public Compression(int smallest) {
    this.smallest = smallest;
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (Addressed.isOurs(request) && isText(response.getMediaType())) {
      response.getHeaders().add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
      if (isWanted(JaxrsExchange.of(request))) {
        request.setProperty(WANTED, true);
      }
    }
  }

  /** Whether the caller of a request prefers a compressed answer. */
  private static boolean isWanted(Exchange request) {
    return AcceptEncoding.prefersGzip(request.header(HttpHeaders.ACCEPT_ENCODING));
  }

  /**
   * The bytes of an answer in JSON as its caller wants them.
   *
   * @param header takes what there is to say of them
   */
  public byte[] fit(Exchange request, byte[] plain, BiConsumer<String, String> header)
      throws IOException {
    header.accept(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
    if (plain.length < smallest || !isWanted(request)) {
      return plain;
    }
    header.accept(HttpHeaders.CONTENT_ENCODING, GZIP);
    return compressed(plain);
  }

  @Override
  public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
    if (context.getProperty(WANTED) != null
        && context.getEntity() instanceof byte[] plain
        && plain.length >= smallest
        && !context.getHeaders().containsKey(HttpHeaders.CONTENT_ENCODING)) {
      context.getHeaders().putSingle(HttpHeaders.CONTENT_ENCODING, GZIP);
      context.getHeaders().remove(HttpHeaders.CONTENT_LENGTH);
      context.setEntity(compressed(plain));
    }
    context.proceed();
  }

  private static byte[] compressed(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(plain.length / 3 + 64);
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(plain);
    }
    return bytes.toByteArray();
  }

  private static boolean isText(MediaType type) {
    return type != null
        && (type.getType().equals("text")
            || type.getSubtype().equals("json")
            || type.getSubtype().endsWith("+json"));
  }

  /** Reads {@code Accept-Encoding} with its weights (RFC 9110, 12.5.3). */
  static final class AcceptEncoding {

    private AcceptEncoding() {}

    /** Whether gzip is wanted at least as much as no encoding at all. */
    static boolean prefersGzip(@Nullable String header) {
      if (header == null) {
        return false;
      }
      double gzip = -1;
      double any = -1;
      double identity = -1;
      for (String element : header.split(",", -1)) {
        String[] parts = element.split(";", -1);
        double weight = weight(parts);
        switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
          case "gzip", "x-gzip" -> gzip = weight;
          case "*" -> any = weight;
          case "identity" -> identity = weight;
          default -> {}
        }
      }
      double wanted = gzip >= 0 ? gzip : any;
      return wanted > 0 && wanted >= identity;
    }

    static double weight(String[] parts) {
      for (int i = 1; i < parts.length; i++) {
        String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
        if (parameter.startsWith("q=")) {
          String value = parameter.substring(2);
          return value.matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?") ? Double.parseDouble(value) : 0;
        }
      }
      return 1;
    }
  }
}
