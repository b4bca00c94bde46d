package dev.octroi.reference;

import dev.octroi.payments.body.ArrivingBody;
import dev.octroi.payments.body.BodyBuffer;
import dev.octroi.payments.body.BodyPace;
import dev.octroi.payments.body.BodyRefused;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a call begin once its body is there. Until then the call holds no thread, and as much of the
 * room for bodies as has come of its own. A body that comes too slowly ends with 408. Thread-safe.
 *
 * <p>A caller without a credential who asks before sending ({@code Expect: 100-continue}) is
 * answered first: a fixed price is challenged without the body.
 */
final class AwaitedBodies extends Handler.Wrapper {

  private static final Logger LOG = LoggerFactory.getLogger(AwaitedBodies.class);

  private static final List<String> CREDENTIALS =
      List.of("PAYMENT-SIGNATURE", "X-PAYMENT", "Authorization", "x-api-key");

  private final BodyBuffer bodies;
  private final Consumer<Request> broken;

  /**
   * @param broken is given a request whose body broke off, cannot be read or comes too slowly
   */
  AwaitedBodies(BodyBuffer bodies, Consumer<Request> broken, Handler handler) {
    super(handler);
    this.bodies = bodies;
    this.broken = broken;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (!announcesBody(request) || asksFirst(request)) {
      return super.handle(request, response, callback);
    }
    if (request.getLength() > bodies.limit()) {
      // The application says so, by the length alone.
      Request unread = new Arrived(request, InputStream.nullInputStream(), request.getLength());
      return super.handle(unread, response, new Draining(request, bodies.limit(), callback));
    }
    new Awaited(request, response, callback).run();
    return true;
  }

  private static boolean announcesBody(Request request) {
    return request.getLength() > 0
        || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)
        || announcesNothing(request);
  }

  /** HTTP/2 tells by the last frame of a request whether there is a body, and no header before. */
  private static boolean announcesNothing(Request request) {
    return request.getLength() < 0
        && request.getConnectionMetaData().getHttpVersion().getVersion()
            > HttpVersion.HTTP_1_1.getVersion();
  }

  private static boolean asksFirst(Request request) {
    HttpFields headers = request.getHeaders();
    return headers.contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString())
        && CREDENTIALS.stream().noneMatch(headers::contains);
  }

  private void begin(Request request, Response response, Callback callback) {
    try {
      if (!super.handle(request, response, callback)) {
        callback.failed(new IllegalStateException("a call that no handler takes"));
      }
    } catch (Exception e) {
      callback.failed(e);
    }
  }

  /** A call whose body is on its way. Jetty runs it on one thread at a time. */
  private final class Awaited implements Runnable {

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final BodyPace.Watch watch = bodies.pace().watch();
    private final ArrivingBody body = bodies.arriving();
    private volatile long come;
    private volatile Scheduler.@Nullable Task nextLook;
    private volatile boolean over;

    Awaited(Request request, Response response, Callback callback) {
      this.request = request;
      this.response = response;
      this.callback = callback;
    }

    @Override
    public void run() {
      try {
        if (isWhole()) {
          arrive();
        } else {
          request.demand(this);
        }
      } catch (BodyRefused e) {
        // A caller that still sends reads the answer only if the connection is not closed at once.
        refuse(e.status(), e.sentence(), new Draining(request, bodies.limit(), callback));
      } catch (TimeoutException e) {
        broken.accept(request);
        BodyRefused slow = BodyRefused.tooSlow();
        refuse(slow.status(), slow.sentence(), callback);
      } catch (Broken e) {
        LOG.debug("A request body broke off", e);
        broken.accept(request);
        refuse(400, "The request body cannot be read.", callback);
      } catch (IOException e) {
        LOG.warn("A request body could not be kept: {}", e.toString());
        refuse(503, "The server has no room for request bodies at the moment.", callback);
      }
    }

    /** Takes what is there; false if the rest is to come. */
    private boolean isWhole() throws IOException, TimeoutException {
      while (true) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          come = body.length();
          if (nextLook == null) {
            lookAgain();
          }
          return false;
        }
        if (Content.Chunk.isFailure(chunk)) {
          throw failure(chunk.getFailure());
        }
        try {
          body.add(chunk.getByteBuffer());
        } finally {
          chunk.release();
        }
        if (chunk.isLast()) {
          return true;
        }
      }
    }

    private static Broken failure(Throwable why) throws TimeoutException {
      if (why instanceof TimeoutException late) {
        throw late;
      }
      return new Broken(why);
    }

    private void arrive() throws IOException {
      over();
      InputStream content = new Replay(body);
      Request whole = new Arrived(request, content, body.length());
      begin(whole, response, Callback.from(() -> closed(content), callback));
    }

    private void lookAgain() {
      nextLook =
          request
              .getComponents()
              .getScheduler()
              .schedule(this::look, watch.untilDue().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void look() {
      if (!over && watch.isLate(come)) {
        // Read as a failure, by whichever thread reads next.
        request.fail(new TimeoutException("a request body comes too slowly"));
      } else if (!over) {
        lookAgain();
      }
    }

    private void over() {
      over = true;
      Scheduler.Task task = nextLook;
      if (task != null) {
        task.cancel();
      }
    }

    private void refuse(int status, String sentence, Callback answered) {
      over();
      closed(body);
      response.setStatus(status);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
      if (status == 503) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
      }
      byte[] json = ("{\"error\":\"" + sentence + "\"}").getBytes(StandardCharsets.UTF_8);
      response.write(true, ByteBuffer.wrap(json), answered);
    }

    private static void closed(AutoCloseable part) {
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("A request body was not removed: {}", e.toString());
      }
    }
  }

  /** The sender broke off, or sent what is no body. */
  private static final class Broken extends IOException {

    private static final long serialVersionUID = 1L;

    Broken(Throwable cause) {
      super(cause);
    }
  }

  /** The body from its start; its room is given back once it was read, or at the call's end. */
  private static final class Replay extends FilterInputStream {

    private final ArrivingBody body;
    private final AtomicBoolean closed = new AtomicBoolean();

    Replay(ArrivingBody body) throws IOException {
      super(body.stream());
      this.body = body;
    }

    @Override
    public void close() throws IOException {
      if (closed.compareAndSet(false, true)) {
        super.close();
        body.close();
      }
    }
  }

  /** A request whose body is at hand, and whose length is known. */
  private static final class Arrived extends Request.Wrapper {

    private final Content.Source content;
    private final HttpFields headers;
    private final long length;

    Arrived(Request request, InputStream body, long length) {
      super(request);
      this.content = Content.Source.from(body);
      this.length = length;
      this.headers =
          request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)
              ? HttpFields.build(request.getHeaders())
                  .remove(HttpHeader.TRANSFER_ENCODING)
                  .put(HttpHeader.CONTENT_LENGTH, length)
                  .asImmutable()
              : request.getHeaders();
    }

    @Override
    public HttpFields getHeaders() {
      return headers;
    }

    @Override
    public long getLength() {
      return length;
    }

    @Override
    public Content.Chunk read() {
      return content.read();
    }

    @Override
    public void demand(Runnable demandCallback) {
      content.demand(demandCallback);
    }
  }

  /**
   * Ends a call whose body was not wanted: takes some more of it off the connection after the
   * answer has left, or a sender who does not read before it has written never sees the answer.
   */
  private static final class Draining implements Callback, Runnable {

    private static final long SECONDS = 10;

    private final Request request;
    private final Callback callback;
    private long left;
    private Scheduler.@Nullable Task end;

    Draining(Request request, long most, Callback callback) {
      this.request = request;
      this.callback = callback;
      this.left = most;
    }

    @Override
    public void succeeded() {
      end =
          request
              .getComponents()
              .getScheduler()
              .schedule(
                  () -> request.fail(new TimeoutException("a body that is not wanted")),
                  SECONDS,
                  TimeUnit.SECONDS);
      run();
    }

    @Override
    public void run() {
      while (true) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          request.demand(this);
          return;
        }
        left -= chunk.remaining();
        boolean over = chunk.isLast() || left < 0 || Content.Chunk.isFailure(chunk);
        chunk.release();
        if (over) {
          if (end != null) {
            end.cancel();
          }
          callback.succeeded();
          return;
        }
      }
    }

    @Override
    public void failed(Throwable failure) {
      callback.failed(failure);
    }
  }
}
