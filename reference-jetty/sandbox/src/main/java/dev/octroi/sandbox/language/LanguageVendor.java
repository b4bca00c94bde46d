package dev.octroi.sandbox.language;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.ModelPage;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** One language vendor: the sandbox's model behind that vendor's protocol. Thread-safe. */
public final class LanguageVendor implements SandboxVendor {

  private static final String VERSION_HEADER = "anthropic-version";
  private static final int LARGEST_BODY = 32 << 20;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String mount;
  private final Wire wire;
  private final SandboxModel model;
  private final ModelPage models;

  private LanguageVendor(String mount, Wire wire, SandboxModel model) {
    this.mount = mount;
    this.wire = wire;
    this.model = model;
    this.models = ModelPage.of(mount);
  }

  /** The three vendors, mounted as {@code messages}, {@code chat} and {@code responses}. */
  public static List<SandboxVendor> all() {
    SandboxModel model = new SandboxModel();
    return List.of(
        new LanguageVendor("messages", new MessagesWire(), model),
        new LanguageVendor("chat", new ChatWire(), model),
        new LanguageVendor("responses", new ResponsesWire(), model));
  }

  @Override
  public String mount() {
    return mount;
  }

  @Override
  public int maxBody() {
    return LARGEST_BODY;
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    if (ModelPage.isAsked(request)) {
      return wire instanceof MessagesWire ? models.page(request) : models.whole();
    }
    try {
      if (!request.path().equals(wire.path())) {
        throw new VendorRefusal(404, "", "not_found", "There is nothing at this address");
      }
      if (!request.method().equals("POST")) {
        throw new VendorRefusal(405, "", "method_not_allowed", "Method Not Allowed");
      }
      if (wire instanceof MessagesWire && !request.headers().containsKey(VERSION_HEADER)) {
        throw new VendorRefusal(400, "", "", VERSION_HEADER + ": header is required");
      }
      Asked asked = wire.read(body(request));
      Plan plan = model.plan(asked);
      if (!asked.stream()) {
        return SandboxAnswer.ok(wire.whole(plan, asked));
      }
      Frames frames = new Frames(plan);
      wire.stream(plan, asked, frames);
      return SandboxAnswer.ok(frames.stream());
    } catch (VendorRefusal refusal) {
      return refused(refusal.status(), refusal.parameter(), refusal.code(), refusal.message());
    }
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    return refused(status, "", "", message);
  }

  private SandboxAnswer refused(int status, String parameter, String code, String message) {
    Map<String, String> headers = status == 429 ? Map.of("Retry-After", "1") : Map.of();
    return new SandboxAnswer(status, wire.error(status, parameter, code, message), headers);
  }

  private static JsonNode body(SandboxRequest request) {
    try {
      JsonNode body = MAPPER.readTree(request.body());
      if (body.isObject()) {
        return body;
      }
    } catch (JsonProcessingException notJson) {
      // the same refusal
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    throw new VendorRefusal(400, "", "invalid_json", "The body is not a JSON object");
  }
}
