package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.sandbox.contract.Violation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The responses protocol. */
final class ResponsesWire implements Wire {

  @Override
  public String path() {
    return "/v1/responses";
  }

  @Override
  public String idHeader() {
    return "x-request-id";
  }

  @Override
  public Map<String, @Nullable Object> counted(Plan plan) {
    return Json.object()
        .with("object", "response.input_tokens")
        .with("input_tokens", plan.usage().allInput())
        .map();
  }

  @Override
  public VendorRefusal refusal(Violation violation) {
    return OpenError.refusal(violation);
  }

  @Override
  public Asked read(JsonNode body) {
    return ResponsesReader.read(body);
  }

  @Override
  public Map<String, @Nullable Object> whole(Plan plan, Asked asked) {
    return ResponseObject.ended(plan, asked);
  }

  @Override
  public void stream(Plan plan, Asked asked, Frames frames) {
    ResponseEvents events = new ResponseEvents(frames);
    Map<String, @Nullable Object> begun =
        ResponseObject.of(plan, asked, "in_progress", List.of(), null);
    events.send("response.created", Json.object().with("response", begun));
    events.send("response.in_progress", Json.object().with("response", begun));
    for (int index = 0; index < plan.steps().size(); index++) {
      events.item(plan, index);
    }
    if (frames.failed()) {
      frames.failure(() -> events.failed(plan, asked));
      return;
    }
    String end = plan.ending() == Plan.Ending.LENGTH ? "response.incomplete" : "response.completed";
    events.send(end, Json.object().with("response", ResponseObject.ended(plan, asked)));
  }

  @Override
  public Map<String, @Nullable Object> error(
      int status, String parameter, String code, String message) {
    return OpenError.of(status, parameter, code, message);
  }
}
