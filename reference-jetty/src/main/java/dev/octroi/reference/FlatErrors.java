package dev.octroi.reference;

import dev.octroi.api.error.ErrorAnswer;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Errors that Jetty makes by itself, in the gateway's flat shape and without a word of Jetty's: a
 * request whose head cannot be read, a path that is ambiguous, a server that stops. Thread-safe.
 */
final class FlatErrors implements Request.Handler {

  private final Consumer<String> broken;

  /**
   * @param broken is given the address that sent a request which Jetty could not read
   */
  FlatErrors(Consumer<String> broken) {
    this.broken = broken;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    if (HttpStatus.isClientError(status)) {
      count(request);
    }
    if (HttpStatus.hasNoBody(status) || HttpMethod.HEAD.is(request.getMethod())) {
      response.write(true, null, callback);
      return true;
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.write(true, ByteBuffer.wrap(ErrorAnswer.flat(status).body()), callback);
    return true;
  }

  /** Counts a request that cannot be read. */
  void count(Request request) {
    if (request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress from
        && from.getAddress() != null) {
      broken.accept(from.getAddress().getHostAddress());
    }
  }
}
