package dev.octroi.services.images;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.language.sse.SseFrame;
import dev.octroi.services.language.sse.SseOverflow;
import dev.octroi.services.language.sse.SseParser;
import dev.octroi.services.upstream.BrokenStream;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.StreamRequest;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a picture that comes with pictures of the work in progress before it. For one thread. */
final class ProgressStream {

  /** An event holds a picture in base64. */
  private static final int EVENT_BYTES = 64 << 20;

  private static final int ERROR_BYTES = 64 << 10;
  private static final int CHUNK = 64 << 10;

  private final Consumer<DrawnPicture> progress;

  ProgressStream(Consumer<DrawnPicture> progress) {
    this.progress = progress;
  }

  DrawnPicture read(UpstreamClient upstream, String target, byte[] json, Deadline deadline) {
    StreamRequest request =
        StreamRequest.of(target, json).timeouts(deadline.remaining(), deadline.remaining());
    try (UpstreamStream stream = upstream.open(request, deadline)) {
      if (!stream.successful() || isWhole(stream)) {
        int limit = stream.successful() ? EVENT_BYTES : ERROR_BYTES;
        return VendorAnswers.pictures(
                new UpstreamAnswer(stream.status(), stream.headers(), stream.readAll(limit)))
            .get(0);
      }
      return picture(stream.body());
    } catch (BrokenStream broken) {
      throw broken.failure();
    } catch (IOException | SseOverflow unreadable) {
      throw Failures.rubbish(unreadable);
    }
  }

  /** A host that knows no progress answers as always. */
  private static boolean isWhole(UpstreamStream stream) {
    return stream.header("content-type").orElse("").startsWith("application/json");
  }

  private DrawnPicture picture(InputStream in) throws IOException {
    SseParser parser = new SseParser(EVENT_BYTES);
    byte[] chunk = new byte[CHUNK];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      Optional<DrawnPicture> whole = last(parser.feed(chunk, 0, read));
      if (whole.isPresent()) {
        return whole.get();
      }
    }
    throw Failures.rubbish(null);
  }

  private Optional<DrawnPicture> last(List<SseFrame> frames) {
    for (SseFrame frame : frames) {
      JsonNode event = VendorAnswers.tree(frame.data().getBytes(StandardCharsets.UTF_8));
      String type = event.path("type").asText(frame.event());
      if (type.endsWith(".partial_image")) {
        progress.accept(VendorAnswers.picture(event));
      } else if (type.endsWith(".completed")) {
        return Optional.of(VendorAnswers.picture(event));
      } else if (event.has("error")) {
        throw VendorAnswers.told(500, event.path("error"));
      }
    }
    return Optional.empty();
  }
}
