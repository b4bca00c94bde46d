package dev.octroi.sandbox.images;

import dev.octroi.sandbox.vendor.MemoryShare;
import dev.octroi.sandbox.vendor.ModelPage;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxFile;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import dev.octroi.sandbox.vendor.Shelf;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The image vendor. Nothing of AWT is loaded before it draws. Thread-safe. */
public final class ImageVendor implements SandboxVendor {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "images";

  private static final String GENERATIONS = "/v1/images/generations";
  private static final String EDITS = "/v1/images/edits";
  private static final int LARGEST_BODY = 64 << 20;
  private static final long SHELF = 64L << 20;
  private static final int SHARE_OF_HEAP = 4;

  private static final ModelPage MODELS = ModelPage.of(MOUNT);

  private final Clock clock;
  private final Shelf shelf = new Shelf(SHELF);
  private final MemoryShare memory = MemoryShare.ofHeap(SHARE_OF_HEAP);

  public ImageVendor(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String mount() {
    return MOUNT;
  }

  @Override
  public int maxBody() {
    return LARGEST_BODY;
  }

  @Override
  public boolean isPublic(String path) {
    return Shelf.holds(path);
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    if (ModelPage.isAsked(request)) {
      return MODELS.whole();
    }
    if (Shelf.holds(request.path())) {
      return shelf
          .get(request.path())
          .map(SandboxAnswer::ok)
          .orElseGet(() -> failure(404, "There is nothing at this address"));
    }
    boolean edit = request.path().equals(EDITS);
    if (!edit && !request.path().equals(GENERATIONS)) {
      return failure(404, "There is nothing at this address");
    }
    if (!request.method().equals("POST")) {
      return failure(405, "Method Not Allowed");
    }
    try {
      Order order = new OrderReader(Fields.of(request), edit).read();
      return memory
          .during(order.memory(), () -> drawn(Drawing.of(order), request))
          .orElseGet(() -> failure(503, "The model is overloaded. Try again later."));
    } catch (Refused refused) {
      return error(400, refused.code(), String.valueOf(refused.getMessage()));
    }
  }

  private SandboxAnswer drawn(Drawing drawing, SandboxRequest request) {
    return SandboxAnswer.ok(
        drawing.order().stream() ? new Progress(drawing, clock).stream() : whole(drawing, request));
  }

  private Map<String, Object> whole(Drawing drawing, SandboxRequest request) {
    Order order = drawing.order();
    List<Map<String, String>> data = new ArrayList<>();
    for (int number = 0; number < order.count(); number++) {
      byte[] bytes = drawing.bytes(number);
      data.add(
          order.url()
              ? Map.of("url", address(order, request, bytes))
              : Map.of("b64_json", Base64.getEncoder().encodeToString(bytes)));
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("created", clock.instant().getEpochSecond());
    answer.put("data", data);
    answer.putAll(described(order));
    return answer;
  }

  private String address(Order order, SandboxRequest request, byte[] bytes) {
    return shelf.put(request, MOUNT, new SandboxFile(order.form().format().mediaType(), bytes));
  }

  /** What every answer says about its pictures. */
  static Map<String, Object> described(Order order) {
    int prompt = 1 + order.prompt().length() / 4;
    int pictures = order.count() * 1056;
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("background", order.form().transparent() ? "transparent" : "opaque");
    described.put("output_format", order.form().format().word());
    described.put("quality", order.form().quality());
    described.put("size", order.form().size());
    described.put(
        "usage",
        Map.of(
            "input_tokens",
            prompt,
            "output_tokens",
            pictures,
            "total_tokens",
            prompt + pictures,
            "input_tokens_details",
            Map.of("text_tokens", prompt, "image_tokens", 0)));
    return described;
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    return error(status, status == 401 ? "invalid_api_key" : null, message);
  }

  private static SandboxAnswer error(int status, @Nullable String code, String message) {
    Map<String, @Nullable Object> error = new LinkedHashMap<>();
    error.put("message", message);
    error.put("type", status < 500 ? "invalid_request_error" : "server_error");
    error.put("param", null);
    error.put("code", code);
    return SandboxAnswer.status(status, Map.of("error", error));
  }
}
