package dev.octroi.reference;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;

/**
 * States the length of an answer whose bytes are there, after everything else has had its say about
 * them: without it, and without Jersey's buffer, which would hold back streams, each answer is
 * chunked and leaves in two writes. Stateless.
 */
final class KnownLength implements WriterInterceptor {

  @Override
  public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
    if (context.getEntity() instanceof byte[] bytes) {
      context.getHeaders().putSingle(HttpHeaders.CONTENT_LENGTH, bytes.length);
    }
    context.proceed();
  }
}
