package dev.octroi.services.images;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.images.Images.DrawnPicture;
import dev.octroi.services.images.Images.PictureType;
import dev.octroi.services.language.Problem;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.web.WebAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads what image vendors say, their refusals included. */
final class VendorAnswers {

  /** A picture of 4096 pixels each side in base64. */
  private static final int LONGEST = 96 << 20;

  private static final int MESSAGE_LENGTH = 500;

  /** What vendors call a prompt or a picture that they will not draw. */
  private static final Set<String> FILTERED =
      Set.of("content_policy_violation", "moderation_blocked", "content_filter", "safety", "1301");

  /** What events say of their picture. */
  private static final List<String> TOLD =
      List.of("background", "output_format", "quality", "size", "usage");

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(LONGEST).build())
                  .build())
          .build();

  private VendorAnswers() {}

  static JsonNode tree(byte[] json) {
    try {
      return MAPPER.readTree(json);
    } catch (IOException malformed) {
      return MissingNode.getInstance();
    }
  }

  /**
   * The pictures of a success.
   *
   * @throws Failure what the answer means instead
   */
  static List<DrawnPicture> pictures(UpstreamAnswer answer) {
    JsonNode body = tree(answer.body());
    if (!answer.successful()) {
      // Some hosts put an error into a list.
      throw failure(answer, (body.isArray() ? body.path(0) : body).path("error"));
    }
    if (body.path("error").isObject()) {
      throw told(400, body.path("error"));
    }
    List<DrawnPicture> pictures = new ArrayList<>();
    body.path("data").forEach(one -> pictures.add(picture(one)));
    Failures.require(!pictures.isEmpty(), "data has no picture");
    return pictures;
  }

  /** A member of {@code data}, or an event of a stream. */
  static DrawnPicture picture(JsonNode one) {
    String base64 = one.path("b64_json").asText("");
    if (base64.isEmpty()) {
      return WebAddress.of(one.path("url").asText(""))
          .map(address -> new DrawnPicture.Linked(address.uri()))
          .orElseThrow(() -> Failures.unreadable("a picture has neither bytes nor an address"));
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      return PictureType.of(bytes)
          .filter(type -> type.isWhole(bytes))
          .map(type -> new DrawnPicture.Bytes(bytes, type, told(one)))
          .orElseThrow(() -> Failures.unreadable("b64_json is no whole picture"));
    } catch (IllegalArgumentException malformed) {
      throw Failures.unreadable("b64_json is no base64");
    }
  }

  private static JsonNode told(JsonNode event) {
    ObjectNode told = JsonNodeFactory.instance.objectNode();
    TOLD.stream().filter(event::has).forEach(name -> told.set(name, event.path(name)));
    return told;
  }

  private static Failure failure(UpstreamAnswer answer, JsonNode error) {
    int status = answer.status();
    boolean callers = status == 400 || status == 413 || status == 422;
    boolean account =
        Problem.isOfAccount(error.path("message").asText(""), error.path("code").asText(""));
    return callers && !account ? told(status, error) : Failures.of(answer);
  }

  /** An error that the caller can do something about, in the vendor's own words. */
  static Failure told(int status, JsonNode error) {
    if (isFiltered(error)) {
      return new Failure(
          ErrorCode.CONTENT_FILTERED, "The request was refused by the model's content filter");
    }
    return status < 500
        ? Failure.invalid(message(error).orElse("The model does not take the request as it is"))
        : Failures.unreadable("its status is " + status);
  }

  static boolean isFiltered(JsonNode error) {
    String words = (error.path("code").asText("") + " " + error.path("type").asText(""));
    return Arrays.stream(words.toLowerCase(Locale.ROOT).split(" ", -1))
        .anyMatch(FILTERED::contains);
  }

  private static Optional<String> message(JsonNode error) {
    String text = error.path("message").asText("").strip();
    return Optional.of(text.substring(0, Math.min(text.length(), MESSAGE_LENGTH)))
        .filter(some -> !some.isEmpty());
  }
}
