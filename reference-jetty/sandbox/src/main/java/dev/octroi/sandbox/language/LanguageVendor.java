package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.vendor.ModelPage;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One language vendor: the sandbox's model behind that vendor's protocol. Thread-safe. */
public final class LanguageVendor implements SandboxVendor {

  private static final int LARGEST_BODY = 32 << 20;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String mount;
  private final Wire wire;
  private final SandboxModel model;
  private final Contract contract;
  private final ModelPage models;

  private LanguageVendor(String mount, Wire wire, SandboxModel model) {
    this.mount = mount;
    this.wire = wire;
    this.model = model;
    this.contract = Contract.of(mount + ".txt");
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
  public Contract contract() {
    return contract;
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    if (ModelPage.isAsked(request)) {
      return wire instanceof MessagesWire ? models.page(request) : models.whole();
    }
    try {
      Asked asked = wire.read(body(request));
      Plan plan = model.plan(asked);
      if (!request.path().equals(wire.path())) {
        return said(plan, wire.counted(plan));
      }
      if (!asked.stream()) {
        return said(plan, wire.whole(plan, asked));
      }
      Frames frames = new Frames(plan);
      wire.stream(plan, asked, frames);
      return said(plan, frames.stream());
    } catch (VendorRefusal refusal) {
      return refused(refusal.status(), refusal.parameter(), refusal.code(), refusal.message());
    }
  }

  /** Every answer has an id in the header where the vendor's own clients look for it. */
  private SandboxAnswer said(Plan plan, Object answer) {
    return new SandboxAnswer(200, answer, Map.of(wire.idHeader(), "req_" + plan.id()));
  }

  @Override
  public SandboxAnswer refusal(Violation violation) {
    return switch (violation.kind()) {
      case UNAUTHORIZED -> refused(401, "", "invalid_api_key", "Incorrect API key provided");
      case NO_PATH -> refused(404, "", "not_found", "There is nothing at this address");
      case NO_METHOD -> refused(405, "", "method_not_allowed", "Method Not Allowed");
      case UNREADABLE -> refused(400, "", "invalid_json", violation.message());
      default -> {
        VendorRefusal refusal = wire.refusal(violation);
        yield refused(refusal.status(), refusal.parameter(), refusal.code(), refusal.message());
      }
    };
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    return refused(status, "", "", message);
  }

  private SandboxAnswer refused(int status, String parameter, String code, String message) {
    Map<String, String> headers = new HashMap<>();
    headers.put(wire.idHeader(), "req_" + Ids.of("error", message));
    if (status == 429) {
      headers.put("Retry-After", "1");
    }
    return new SandboxAnswer(status, wire.error(status, parameter, code, message), headers);
  }

  private static JsonNode body(SandboxRequest request) {
    try {
      return MAPPER.readTree(request.body());
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
