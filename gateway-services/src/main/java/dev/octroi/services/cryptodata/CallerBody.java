package dev.octroi.services.cryptodata;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import java.io.IOException;
import java.util.Optional;

/** The members of a caller's JSON body, each checked as it is taken: 400 {@code invalid_params}. */
final class CallerBody {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode object;

  private CallerBody(JsonNode object) {
    this.object = object;
  }

  static CallerBody of(byte[] body) {
    try {
      JsonNode tree = MAPPER.readTree(body);
      if (tree != null && tree.isObject()) {
        return new CallerBody(tree);
      }
    } catch (IOException malformed) {
      // told below
    }
    throw invalid("The body is a JSON object");
  }

  String requiredText(String name, int longest) {
    return text(name, longest).orElseThrow(() -> invalid(name + " is required"));
  }

  /** A text that is not blank. */
  Optional<String> text(String name, int longest) {
    JsonNode member = object.path(name);
    if (member.isMissingNode() || member.isNull()) {
      return Optional.empty();
    }
    if (!member.isTextual() || member.textValue().isBlank()) {
      throw invalid(name + " is a text");
    }
    if (member.textValue().length() > longest) {
      throw invalid(name + " is longer than " + longest + " characters");
    }
    return Optional.of(member.textValue());
  }

  /** An integer from 1. */
  Optional<Integer> count(String name, int most) {
    JsonNode member = object.path(name);
    if (member.isMissingNode() || member.isNull()) {
      return Optional.empty();
    }
    if (!member.isIntegralNumber()
        || !member.canConvertToInt()
        || member.intValue() < 1
        || member.intValue() > most) {
      throw invalid(name + " is an integer from 1 to " + most);
    }
    return Optional.of(member.intValue());
  }

  private static Failure invalid(String message) {
    return new Failure(ErrorCode.INVALID_PARAMS, message);
  }
}
