package dev.octroi.services.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageCatalogue.ImageModel;
import dev.octroi.services.images.Images.DrawnPicture;
import dev.octroi.services.images.Images.ImageEdit;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.language.LanguageJson;
import dev.octroi.services.language.sse.SseParser;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import dev.octroi.services.language.sse.SseParser.SseOverflow;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamClient.StreamRequest;
import dev.octroi.services.upstream.UpstreamRequest;
import dev.octroi.services.upstream.UpstreamStream;
import dev.octroi.services.upstream.UpstreamStream.BrokenStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Image models that speak the protocol of the chat-completions vendor: drawings are JSON, edits a
 * form, and the answers hold bytes or addresses. Thread-safe; owns no connection.
 */
public final class VendorImages implements Images {

  private static final String DRAW = "/images/generations";
  private static final String EDIT = "/images/edits";
  private static final String JSON = "application/json";

  private final Map<String, UpstreamClient> upstreams;

  /**
   * @param upstreams by the names that the catalogue uses
   */
  public VendorImages(Map<String, UpstreamClient> upstreams) {
    this.upstreams = Map.copyOf(upstreams);
  }

  /** Progress is told by the vendor's stream, which is for one picture. */
  @Override
  public List<DrawnPicture> draw(
      ImageOrder order, Deadline deadline, Consumer<DrawnPicture> progress) {
    UpstreamClient upstream = upstream(order.model());
    if (order.progress() > 0 && order.quote().n() == 1) {
      UpstreamRequest request =
          UpstreamRequest.post(DRAW, LanguageJson.bytes(streamed(order)), JSON);
      return List.of(new ProgressStream(order, progress).read(upstream, request, deadline));
    }
    return all(
        order,
        upstream,
        n -> UpstreamRequest.post(DRAW, LanguageJson.bytes(wire(order, n)), JSON),
        deadline);
  }

  @Override
  public List<DrawnPicture> edit(
      ImageEdit edit, Deadline deadline, Consumer<DrawnPicture> progress) {
    ImageOrder order = edit.order();
    UpstreamClient upstream = upstream(order.model());
    if (order.stream() && order.progress() > 0) {
      return List.of(
          new ProgressStream(order, progress)
              .read(upstream, form(edit, streamed(order)), deadline));
    }
    return all(order, upstream, n -> form(edit, wire(order, n)), deadline);
  }

  private UpstreamClient upstream(ImageModel model) {
    UpstreamClient upstream = upstreams.get(model.source().upstream());
    if (upstream == null) {
      throw new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "The model is not served here");
    }
    return upstream;
  }

  /** Asks as often as it takes, side by side. */
  private static List<DrawnPicture> all(
      ImageOrder order,
      UpstreamClient upstream,
      IntFunction<UpstreamRequest> request,
      Deadline deadline) {
    int atOnce = order.model().source().atOnce();
    List<CompletableFuture<UpstreamAnswer>> calls = new ArrayList<>();
    for (int left = order.quote().n(); left > 0; left -= atOnce) {
      UpstreamRequest one = request.apply(Math.min(left, atOnce)).ownQuery();
      calls.add(upstream.sendAsync(one, deadline));
    }
    try {
      List<DrawnPicture> pictures = new ArrayList<>();
      calls.forEach(call -> pictures.addAll(VendorAnswers.pictures(call.join())));
      return enough(pictures, order.quote().n());
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof Failure failure ? failure : failed;
    } finally {
      calls.forEach(call -> call.cancel(true));
    }
  }

  private static List<DrawnPicture> enough(List<DrawnPicture> pictures, int wanted) {
    if (pictures.size() < wanted) {
      throw new Failure(ErrorCode.UPSTREAM_FAILED, "The model drew fewer pictures than ordered");
    }
    return List.copyOf(pictures.subList(0, wanted));
  }

  private static ObjectNode wire(ImageOrder order, int n) {
    ObjectNode wire =
        JsonNodeFactory.instance
            .objectNode()
            .put("model", order.model().source().model())
            .put("prompt", order.prompt());
    if (n > 1) {
      wire.put("n", n);
    }
    if (order.model().source().sendsSize()) {
      wire.put("size", order.quote().size().toString());
    }
    if (order.model().source().sendsFormat()) {
      wire.put("response_format", "b64_json");
    }
    order.model().source().always().forEach(wire::put);
    order.options().forEach((name, value) -> wire.set(name, node(value)));
    return wire;
  }

  private static ObjectNode streamed(ImageOrder order) {
    return wire(order, 1).put("stream", true).put("partial_images", order.progress());
  }

  private static JsonNode node(Object value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (value instanceof Integer number) {
      return nodes.numberNode(number);
    }
    return value instanceof Boolean flag
        ? nodes.booleanNode(flag)
        : nodes.textNode(String.valueOf(value));
  }

  private static UpstreamRequest form(ImageEdit edit, ObjectNode wire) {
    Form form = new Form();
    wire.properties().forEach(field -> form.text(field.getKey(), field.getValue().asText()));
    boolean several = edit.pictures().size() > 1;
    edit.pictures()
        .forEach(picture -> form.png(several ? "image[]" : "image", "image.png", picture.bytes()));
    edit.mask().ifPresent(mask -> form.png("mask", "mask.png", mask.bytes()));
    return UpstreamRequest.post(EDIT, form.bytes(), form.mediaType());
  }

  /** A multipart form under construction, as the vendor's protocol wants edits. For one thread. */
  private static final class Form {

    private static final String LINE = "\r\n";

    private final String boundary = "octroi-" + UUID.randomUUID();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(64 * 1024);

    Form text(String name, Object value) {
      head("form-data; name=\"" + name + "\"", "text/plain; charset=utf-8");
      write(String.valueOf(value));
      write(LINE);
      return this;
    }

    Form png(String name, String file, byte[] bytes) {
      head("form-data; name=\"" + name + "\"; filename=\"" + file + "\"", "image/png");
      out.writeBytes(bytes);
      write(LINE);
      return this;
    }

    String mediaType() {
      return "multipart/form-data; boundary=" + boundary;
    }

    byte[] bytes() {
      write("--" + boundary + "--" + LINE);
      return out.toByteArray();
    }

    private void head(String disposition, String type) {
      write("--" + boundary + LINE);
      write("Content-Disposition: " + disposition + LINE);
      write("Content-Type: " + type + LINE + LINE);
    }

    private void write(String text) {
      out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Reads a picture that comes with pictures of the work in progress before it. For one thread. */
  private static final class ProgressStream {

    /** An event holds a picture in base64. */
    private static final int EVENT_BYTES = 64 << 20;

    private static final int ERROR_BYTES = 64 << 10;
    private static final int CHUNK = 64 << 10;

    private final Consumer<DrawnPicture> progress;

    /** How many more are wanted: each is kept, and an upstream may tell of any number. */
    private int left;

    ProgressStream(ImageOrder order, Consumer<DrawnPicture> progress) {
      this.left = order.progress();
      this.progress = progress;
    }

    DrawnPicture read(UpstreamClient upstream, UpstreamRequest request, Deadline deadline) {
      StreamRequest asked =
          StreamRequest.of(request).timeouts(deadline.remaining(), deadline.remaining());
      try (UpstreamStream stream = upstream.open(asked, deadline)) {
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
        throw Failures.unreadable("the stream cannot be read");
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
      throw Failures.unreadable("the stream ends before its picture");
    }

    private Optional<DrawnPicture> last(List<SseFrame> frames) {
      for (SseFrame frame : frames) {
        JsonNode event = VendorAnswers.tree(frame.data().getBytes(StandardCharsets.UTF_8));
        String type = event.path("type").asText(frame.event());
        if (type.endsWith(".partial_image")) {
          if (left > 0) {
            left--;
            progress.accept(VendorAnswers.picture(event));
          }
        } else if (type.endsWith(".completed")) {
          return Optional.of(VendorAnswers.picture(event));
        } else if (event.has("error")) {
          throw VendorAnswers.told(500, event.path("error"));
        }
      }
      return Optional.empty();
    }
  }
}
