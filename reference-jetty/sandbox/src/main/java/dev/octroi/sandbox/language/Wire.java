package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One vendor's protocol. */
interface Wire {

  /** Where it is spoken, such as {@code /v1/messages}. */
  String path();

  /** The vendor's reading of a request. */
  Asked read(JsonNode body);

  /** The answer in one piece. */
  Map<String, @Nullable Object> whole(Plan plan, Asked asked);

  /** The answer bit by bit. */
  void stream(Plan plan, Asked asked, Frames frames);

  /** What the vendor says of a failure. */
  Map<String, @Nullable Object> error(int status, String parameter, String code, String message);
}
