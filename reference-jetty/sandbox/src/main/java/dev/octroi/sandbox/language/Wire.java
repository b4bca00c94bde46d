package dev.octroi.sandbox.language;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.sandbox.contract.Violation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One vendor's protocol. */
interface Wire {

  /** Where it is spoken, such as {@code /v1/messages}; below it, tokens are counted. */
  String path();

  /** The header in which clients look for the id of a request. */
  String idHeader();

  /** The vendor's reading of a request. */
  Asked read(JsonNode body);

  /** The answer in one piece. */
  Map<String, @Nullable Object> whole(Plan plan, Asked asked);

  /** The answer bit by bit. */
  void stream(Plan plan, Asked asked, Frames frames);

  /** How many tokens a prompt has. */
  Map<String, @Nullable Object> counted(Plan plan);

  /** What the vendor says of a request that its contract refuses. */
  VendorRefusal refusal(Violation violation);

  /** What the vendor says of a failure. */
  Map<String, @Nullable Object> error(int status, String parameter, String code, String message);
}
