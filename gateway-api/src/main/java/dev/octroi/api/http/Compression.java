package dev.octroi.api.http;

import dev.octroi.api.group.Addressed;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses answers for callers that ask, after everything else has had its say: the payment gate
 * stores and completes plain bytes. Bodies that are streamed are left alone.
 */
public final class Compression implements ContainerResponseFilter, WriterInterceptor {

  private static final String WANTED = "dev.octroi.api.gzip";

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
      if (AcceptEncoding.prefersGzip(request.getHeaderString(HttpHeaders.ACCEPT_ENCODING))) {
        request.setProperty(WANTED, true);
      }
    }
  }

  @Override
  public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
    if (context.getProperty(WANTED) != null
        && context.getEntity() instanceof byte[] plain
        && plain.length >= smallest
        && !context.getHeaders().containsKey(HttpHeaders.CONTENT_ENCODING)) {
      context.getHeaders().putSingle(HttpHeaders.CONTENT_ENCODING, "gzip");
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
}
