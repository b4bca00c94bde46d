package dev.octroi.api.voice;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.read.UpstreamJson;
import java.math.BigDecimal;

/**
 * The records of the group (specification, phone and voice records). None of their members is
 * stated to be nullable: what is not known is an empty text, and a call without a length has lasted
 * 0.
 */
final class CallRecords {

  private static final String UNKNOWN = "unknown";

  private CallRecords() {}

  static byte[] started(String call, String pollUrl) {
    return UpstreamJson.bytes(
        UpstreamJson.record()
            .put("call_id", call)
            .put("status", "success")
            .put("poll_url", pollUrl)
            .put("message", "The call is being placed; read its record to follow it."));
  }

  static byte[] changed(String call, String status, String message) {
    return UpstreamJson.bytes(
        UpstreamJson.record().put("call_id", call).put("status", status).put("message", message));
  }

  static byte[] call(PlacedCall call) {
    ObjectNode record = UpstreamJson.record();
    record.put("call_id", call.id()).put("status", call.status().word());
    record.set("call_length", UpstreamJson.number(call.said().minutes().orElse(BigDecimal.ZERO)));
    record.put("answered_by", call.said().answeredBy().orElse(UNKNOWN));
    record.put("from", call.from()).put("to", call.to());
    record.put("concatenated_transcript", call.said().transcript().orElse(""));
    record.put("recording_url", call.said().recording().orElse(""));
    return UpstreamJson.bytes(record);
  }
}
