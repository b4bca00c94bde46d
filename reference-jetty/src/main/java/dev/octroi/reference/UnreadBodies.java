package dev.octroi.reference;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Says of a connection that it ends where an answer leaves before its request's body has come, as
 * with a refusal by the headers alone. Jetty closes such a connection without a word, and a client
 * that has the next call under way on it cannot know whether that was heard (RFC 9112, section
 * 9.6). Thread-safe.
 */
final class UnreadBodies extends Handler.Wrapper {

  UnreadBodies(Handler handler) {
    super(handler);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return super.handle(request, new Announcing(request, response), callback);
  }

  private static final class Announcing extends Response.Wrapper {

    Announcing(Request request, Response response) {
      super(request, response);
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
      if (!isCommitted() && !getRequest().consumeAvailable()) {
        getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
      }
      super.write(last, content, callback);
    }
  }
}
