package dev.octroi.sandbox.music;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.contract.Contract;
import dev.octroi.sandbox.contract.Violation;
import dev.octroi.sandbox.vendor.SandboxAnswer;
import dev.octroi.sandbox.vendor.SandboxFile;
import dev.octroi.sandbox.vendor.SandboxRequest;
import dev.octroi.sandbox.vendor.SandboxVendor;
import dev.octroi.sandbox.vendor.Seeded;
import dev.octroi.sandbox.vendor.Shelf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The music vendor, whose failures are successes of HTTP with a code. Thread-safe. */
public final class MusicVendor implements SandboxVendor {

  /** Where the sandbox serves it. */
  public static final String MOUNT = "music";

  private static final Contract CONTRACT = Contract.of("music.txt");
  private static final long SHELF = 64L << 20;
  private static final int LONGEST_SECONDS = 300;
  private static final int USUAL_SECONDS = 60;
  private static final Pattern SECONDS = Pattern.compile("\\b([0-9]{1,3}) seconds\\b");

  /** A code in a prompt: how the vendor's own failures are asked for. */
  private static final Pattern CODE = Pattern.compile("sandbox:code=([0-9]{4})");

  private static final String FILTERED = "sandbox:filtered";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Shelf shelf = new Shelf(SHELF);

  @Override
  public String mount() {
    return MOUNT;
  }

  @Override
  public SandboxAnswer answer(SandboxRequest request) {
    if (Shelf.holds(request.path())) {
      return shelf
          .get(request.path())
          .map(SandboxAnswer::ok)
          .orElseGet(() -> SandboxAnswer.status(404, Map.of("error", "Not found")));
    }
    try {
      JsonNode asked = JSON.readTree(request.body());
      return wrong(asked).orElseGet(() -> track(asked, request));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  public Contract contract() {
    return CONTRACT;
  }

  @Override
  public SandboxAnswer refusal(Violation violation) {
    return switch (violation.kind()) {
      case UNAUTHORIZED -> refused(1004, "login fail: " + violation.message());
      case NO_PATH, NO_METHOD -> SandboxAnswer.status(404, Map.of("error", "Not found"));
      default -> refused(2013, "invalid params, " + violation.sentence());
    };
  }

  private static Optional<SandboxAnswer> wrong(JsonNode asked) {
    String prompt = asked.path("prompt").asText();
    String lyrics = asked.path("lyrics").asText();
    Matcher code = CODE.matcher(prompt);
    if (code.find()) {
      return Optional.of(refused(Integer.parseInt(code.group(1)), "as the prompt asked"));
    }
    if (prompt.contains(FILTERED) || lyrics.contains(FILTERED)) {
      return Optional.of(refused(1026, "input new_sensitive"));
    }
    if (lyrics.isEmpty() && !unsung(asked) && !asked.path("lyrics_optimizer").asBoolean()) {
      return Optional.of(refused(2013, "invalid params, lyrics has 1 to 3500 characters"));
    }
    if (unsung(asked) && prompt.isEmpty()) {
      return Optional.of(refused(2013, "invalid params, prompt is required"));
    }
    String format = asked.path("audio_setting").path("format").asText();
    return format.equals("wav")
        ? Optional.empty()
        : Optional.of(refused(2013, "invalid params, the sandbox writes wav only"));
  }

  private static boolean unsung(JsonNode asked) {
    return asked.path("is_instrumental").asBoolean();
  }

  private SandboxAnswer track(JsonNode asked, SandboxRequest request) {
    String prompt = asked.path("prompt").asText();
    String lyrics = asked.path("lyrics").asText();
    Matcher wish = SECONDS.matcher(prompt);
    int seconds =
        wish.find() ? Math.min(LONGEST_SECONDS, Integer.parseInt(wish.group(1))) : USUAL_SECONDS;
    boolean sung = !unsung(asked) && !lyrics.contains("[Inst]");
    byte[] file = Wave.file(new Composer(prompt, lyrics).play(seconds, sung));
    String audio =
        asked.path("output_format").asText().equals("url")
            ? shelf.put(request, MOUNT, new SandboxFile("audio/wav", file))
            : HexFormat.of().formatHex(file);
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("data", Map.of("audio", audio, "status", 2));
    answer.put("trace_id", Seeded.of(prompt, lyrics).hex(32));
    answer.put(
        "extra_info",
        Map.of(
            "music_duration",
            seconds * 1_000,
            "music_sample_rate",
            Wave.SAMPLE_RATE,
            "music_channel",
            1,
            "bitrate",
            Wave.SAMPLE_RATE * Short.SIZE,
            "music_size",
            file.length));
    answer.put("analysis_info", null);
    answer.put("base_resp", Map.of("status_code", 0, "status_msg", "success"));
    return SandboxAnswer.ok(answer);
  }

  @Override
  public SandboxAnswer failure(int status, String message) {
    return status == 401
        ? refused(1004, message)
        : SandboxAnswer.status(status, base(1000, message));
  }

  private static SandboxAnswer refused(int code, String message) {
    return SandboxAnswer.ok(base(code, message));
  }

  private static Map<String, Object> base(int code, String message) {
    return Map.of("base_resp", Map.of("status_code", code, "status_msg", message));
  }
}
