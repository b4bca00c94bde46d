package dev.octroi.sandbox.vendor;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.QuietException;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.util.thread.Scheduler;

/** Writes one stream at its pace, without a thread of its own. */
final class StreamReply extends IteratingCallback {

  private final Response response;
  private final Callback callback;
  private final Scheduler scheduler;
  private final Iterator<SandboxStream.Frame> frames;

  StreamReply(Response response, Callback callback, Scheduler scheduler, SandboxStream stream) {
    this.response = response;
    this.callback = callback;
    this.scheduler = scheduler;
    this.frames = stream.frames().iterator();
  }

  void begin(SandboxAnswer answer) {
    response.setStatus(answer.status());
    answer.headers().forEach(response.getHeaders()::put);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, SandboxStream.MEDIA_TYPE);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
    iterate();
  }

  @Override
  protected Action process() {
    if (!frames.hasNext()) {
      return Action.SUCCEEDED;
    }
    SandboxStream.Frame frame = frames.next();
    if (frame.pauseMillis() == 0) {
      write(frame);
    } else {
      scheduler.schedule(() -> write(frame), frame.pauseMillis(), TimeUnit.MILLISECONDS);
    }
    return Action.SCHEDULED;
  }

  @Override
  protected void onCompleteSuccess() {
    response.write(true, ByteBuffer.allocate(0), callback);
  }

  @Override
  protected void onCompleteFailure(Throwable callerIsGone) {
    callback.failed(new QuietException.Exception(callerIsGone));
  }

  private void write(SandboxStream.Frame frame) {
    if (frame.cut()) {
      failed(new QuietException.Exception("Cut as the call asked"));
    } else {
      response.write(false, ByteBuffer.wrap(frame.bytes()), this);
    }
  }
}
