package dev.octroi.services.music;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.music.MusicCatalogue.MusicModel;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.upstream.Failures;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.UpstreamClient;
import dev.octroi.services.upstream.UpstreamRequest;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/** Tracks by the music vendor. Thread-safe. */
public final class VendorMusic {

  private static final String JSON = "application/json";
  private static final int SAMPLE_RATE = 44_100;
  private static final int BIT_RATE = 256_000;
  private static final BigDecimal MILLIS = BigDecimal.valueOf(1_000);
  private static final BigDecimal AN_HOUR = BigDecimal.valueOf(3_600);

  /** What the vendor says of a track that is whole. */
  private static final int WHOLE = 2;

  private final UpstreamClient client;
  private final Delivery delivery;

  /**
   * How tracks come.
   *
   * @param linked whether the vendor is asked for addresses instead of bytes
   * @param format of the bytes, such as {@code mp3}
   */
  public record Delivery(boolean linked, String format) {}

  public VendorMusic(UpstreamClient client, Delivery delivery) {
    this.client = client;
    this.delivery = delivery;
  }

  /**
   * Has a track made.
   *
   * @throws dev.octroi.services.Failure 400 {@code invalid_params} or {@code
   *     content_policy_violation} for what the vendor refuses, 429, 502, 503
   */
  public Track compose(TrackOrder order, Deadline deadline) {
    UpstreamAnswer said =
        client.send(
            UpstreamRequest.post("/music_generation", UpstreamJson.bytes(asked(order)), JSON),
            deadline);
    if (!said.successful()) {
      client.warn(said);
      throw MusicFailures.of(said);
    }
    JsonNode answer = UpstreamJson.object(said.body());
    int code = MusicFailures.code(answer);
    if (code != 0) {
      client.warn(said);
      throw MusicFailures.of(code, said);
    }
    return track(answer);
  }

  /** One of the three: nothing is sung, what is given, or what the vendor writes to the prompt. */
  private ObjectNode asked(TrackOrder order) {
    ObjectNode asked = UpstreamJson.record().put("model", order.model().vendorName());
    asked.put("prompt", prompt(order));
    if (order.instrumental()) {
      asked.put("is_instrumental", true);
    } else {
      order
          .lyrics()
          .ifPresentOrElse(
              words -> asked.put("lyrics", words), () -> asked.put("lyrics_optimizer", true));
    }
    asked.put("output_format", delivery.linked() ? "url" : "hex");
    asked
        .putObject("audio_setting")
        .put("sample_rate", SAMPLE_RATE)
        .put("bitrate", BIT_RATE)
        .put("format", delivery.format());
    return asked;
  }

  /** The vendor has no field for the length, but reads: the wish goes where it fits. */
  private static String prompt(TrackOrder order) {
    String whole = order.prompt() + ", about " + order.seconds() + " seconds long";
    return whole.length() <= TrackOrder.LONGEST_PROMPT ? whole : order.prompt();
  }

  private static Track track(JsonNode answer) {
    String audio = UpstreamJson.at(answer, "data", "audio").asText("");
    Failures.require(
        UpstreamJson.at(answer, "data", "status").asInt(WHOLE) == WHOLE,
        "data.status is not that of a whole track");
    int seconds = seconds(UpstreamJson.at(answer, "extra_info", "music_duration"));
    try {
      if (audio.startsWith("https://") || audio.startsWith("http://")) {
        return new Track.Linked(URI.create(audio), seconds);
      }
      if (!audio.isEmpty()) {
        return new Track.Sound(HexFormat.of().parseHex(audio), seconds);
      }
    } catch (IllegalArgumentException e) {
      throw Failures.unreadable("data.audio is no hexadecimal text");
    }
    throw Failures.unreadable("data.audio is missing");
  }

  /** Rounded, and at least one; a vendor that says nothing of the length has made a track too. */
  private static int seconds(JsonNode millis) {
    BigDecimal seconds = millis.decimalValue().divide(MILLIS);
    if ((!millis.isNull() && !millis.isNumber())
        || seconds.signum() < 0
        || seconds.compareTo(AN_HOUR) > 0) {
      throw Failures.unreadable("extra_info.music_duration is no duration");
    }
    return Math.max(1, seconds.setScale(0, RoundingMode.HALF_UP).intValueExact());
  }

  /** The vendor's failures, most of which it hides in a 200 with a code of its own. */
  private static final class MusicFailures {

    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private MusicFailures() {}

    /** 0 for a track. */
    static int code(JsonNode answer) {
      JsonNode code = UpstreamJson.at(answer, "base_resp", "status_code");
      Failures.require(code.isInt(), "base_resp.status_code is no number");
      return code.intValue();
    }

    static Failure of(int code, UpstreamAnswer said) {
      return switch (code) {
        case 1002, 1039, 1041, 2045 -> tooMany(said);
        case 1026, 1027 ->
            new Failure(
                ErrorCode.CONTENT_FILTERED, "The content filter does not let this be made.");
        case 1042, 2013 -> refused();
        default -> failed();
      };
    }

    static Failure of(UpstreamAnswer said) {
      return switch (said.status()) {
        case 400, 413, 422 -> refused();
        case 429 -> tooMany(said);
        default -> Failures.of(said);
      };
    }

    /** Our key, our balance and the vendor's own troubles are not the caller's business. */
    private static Failure failed() {
      return new Failure(ErrorCode.UPSTREAM_FAILED, "The track could not be made.");
    }

    private static Failure refused() {
      return Failure.invalid("The vendor does not accept a parameter.");
    }

    private static Failure tooMany(UpstreamAnswer said) {
      return new Failure(
          ErrorCode.RATE_LIMITED,
          "Too many tracks are asked for at the moment.",
          said.retryAfter().orElse(A_MINUTE),
          null);
    }
  }

  /** A track that a vendor has made. */
  public sealed interface Track {

    /** How long it is, in whole seconds. */
    int seconds();

    /**
     * Its bytes.
     *
     * @param bytes do not modify
     */
    record Sound(byte[] bytes, int seconds) implements Track {}

    /** Where the vendor keeps it, for as long as the vendor likes. */
    record Linked(URI address, int seconds) implements Track {}
  }

  /**
   * A track as it is asked for.
   *
   * @param prompt genre, mood and tempo, 1 to {@value #LONGEST_PROMPT} characters
   * @param lyrics 1 to {@value #LONGEST_LYRICS} characters; empty where none were given or nothing
   *     is to be sung
   * @param seconds how long it should be, 1 to {@value #LONGEST_SECONDS}
   */
  public record TrackOrder(
      MusicModel model, String prompt, boolean instrumental, Optional<String> lyrics, int seconds) {

    public static final int LONGEST_PROMPT = 2_000;
    public static final int LONGEST_LYRICS = 3_500;
    public static final int LONGEST_SECONDS = 180;
  }
}
