package dev.octroi.sandbox.vendor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.QuietException;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes answers, the proper one and the broken ones. Thread-safe. */
final class Replies {

  /** More than any caller should take. */
  private static final int HUGE_MEBIBYTES = 64;

  private static final int NO_CONTENT = 204;
  private static final String MEDIA_TYPE = "application/json";
  private static final byte[] BROKEN =
      "{\"data\":[{\"value\":1},{\"value\":".getBytes(StandardCharsets.UTF_8);

  private final ObjectMapper json;

  Replies(ObjectMapper json) {
    this.json = json;
  }

  void json(Response response, Callback callback, SandboxAnswer answer) {
    if (answer.json() instanceof SandboxFile file) {
      send(response, callback, file.mediaType(), file.bytes());
      return;
    }
    if (answer.status() == NO_CONTENT) {
      response.setStatus(NO_CONTENT);
      response.write(true, ByteBuffer.allocate(0), callback);
      return;
    }
    byte[] body;
    try {
      body = json.writeValueAsBytes(answer.json());
    } catch (JsonProcessingException unwritable) {
      callback.failed(unwritable);
      return;
    }
    response.setStatus(answer.status());
    answer.headers().forEach(response.getHeaders()::put);
    send(response, callback, body);
  }

  /** A well-framed answer whose JSON ends in the middle. */
  void malformed(Response response, Callback callback) {
    send(response, callback, BROKEN);
  }

  void empty(Response response, Callback callback) {
    send(response, callback, new byte[0]);
  }

  /** Promises twice what it sends, then closes the connection. */
  void cut(Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, MEDIA_TYPE);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, 2L * BROKEN.length);
    Throwable asked = new QuietException.Exception("Cut as the call asked");
    response.write(
        false,
        ByteBuffer.wrap(BROKEN),
        Callback.from(() -> callback.failed(asked), callback::failed));
  }

  void huge(Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, MEDIA_TYPE);
    byte[] mebibyte = new byte[1 << 20];
    Arrays.fill(mebibyte, (byte) 'x');
    try (OutputStream out = Content.Sink.asOutputStream(response)) {
      out.write("{\"data\":\"".getBytes(StandardCharsets.UTF_8));
      for (int sent = 0; sent < HUGE_MEBIBYTES; sent++) {
        out.write(mebibyte);
      }
      out.write("\"}".getBytes(StandardCharsets.UTF_8));
    } catch (IOException callerHadEnough) {
      callback.failed(new QuietException.Exception(callerHadEnough));
      return;
    }
    callback.succeeded();
  }

  private static void send(Response response, Callback callback, byte[] body) {
    send(response, callback, MEDIA_TYPE, body);
  }

  private static void send(Response response, Callback callback, String type, byte[] body) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.write(true, ByteBuffer.wrap(body), callback);
  }
}
