package dev.octroi.sandbox.images;

import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
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

  private static final Contract CONTRACT = Contract.of("images.txt");
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
  public Contract contract() {
    return CONTRACT;
  }

  @Override
  public SandboxAnswer refusal(Violation violation) {
    String name = violation.dotted().replaceAll("\\.(\\d+)", "[$1]");
    return switch (violation.kind()) {
      case UNAUTHORIZED -> failure(401, "Incorrect API key provided");
      case NO_PATH -> failure(404, "There is nothing at this address");
      case NO_METHOD -> failure(405, "Method Not Allowed");
      case UNREADABLE -> error(400, "invalid_json", null, violation.message());
      case UNKNOWN -> error(400, "unknown_parameter", name, "Unknown parameter: '" + name + "'.");
      case MISSING ->
          error(
              400,
              "missing_required_parameter",
              name.isEmpty() ? null : name,
              "Missing required parameter: " + violation.sentence());
      default -> error(400, "invalid_value", name, "Invalid value: " + violation.sentence());
    };
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
    try {
      Order order = new OrderReader(Fields.of(request), request.path().equals(EDITS)).read();
      return memory
          .during(order.memory(), () -> drawn(Drawing.of(order), request))
          .orElseGet(() -> failure(503, "The model is overloaded. Try again later."));
    } catch (Refused refused) {
      return error(400, refused.code(), null, String.valueOf(refused.getMessage()));
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
    return error(status, status == 401 ? "invalid_api_key" : null, null, message);
  }

  private static SandboxAnswer error(
      int status, @Nullable String code, @Nullable String parameter, String message) {
    Map<String, @Nullable Object> error = new LinkedHashMap<>();
    error.put("message", message);
    error.put("type", status < 500 ? "invalid_request_error" : "server_error");
    error.put("param", parameter);
    error.put("code", code);
    return SandboxAnswer.status(status, Map.of("error", error));
  }
}
