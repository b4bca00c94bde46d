package dev.octroi.api.voice;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.octroi.api.catalogue.Field;
import dev.octroi.api.voice.VoiceTerms.Voices;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import jakarta.validation.constraints.NotBlank;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code POST /call} (specification, voice). */
record CallBody(
    @Field(value = "Whom to call, E.164") @NotBlank(message = "is required") @Nullable String to,
    @Field(value = "A number of yours") @NotBlank(message = "is required") @Nullable String from,
    @Field(value = "What the assistant is to do", longest = CallBody.LONGEST_TASK)
        @NotBlank(message = "is required")
        @Nullable String task,
    @Field("A preset") @Nullable String voice,
    @Field(
            value = "Minutes",
            least = 1,
            most = CallOrder.MOST_MINUTES,
            byDefault = "" + CallOrder.DEFAULT_MINUTES)
        @JsonProperty("max_duration")
        @Nullable Integer maxDuration,
    @Field(value = "How it begins", longest = CallBody.LONGEST_SENTENCE)
        @JsonProperty("first_sentence")
        @Nullable String firstSentence,
    @Field(value = "Whether it lets the callee speak first", byDefault = "true")
        @JsonProperty("wait_for_greeting")
        @Nullable Boolean waitForGreeting,
    @Field("English, the only one that is spoken") @Nullable String language) {

  static final int LONGEST_TASK = 10_000;
  static final int LONGEST_SENTENCE = 500;

  /** What would need an escape of six characters where it is kept. */
  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}&&[^\\n\\r\\t]]");

  /**
   * What it orders.
   *
   * @throws Failure 400 {@code invalid_phone_number}, {@code invalid_params}
   */
  CallOrder order(Voices voices) {
    PhoneNumber callee = Callee.of("to", Objects.requireNonNull(to));
    PhoneNumber caller = PhoneNumber.of("from", Objects.requireNonNull(from));
    requireEnglish();
    return new CallOrder(
        caller.e164(),
        callee.e164(),
        text("task", Objects.requireNonNull(task), LONGEST_TASK),
        voices.of(Optional.ofNullable(voice)),
        minutes(),
        Optional.ofNullable(firstSentence)
            .filter(words -> !words.isBlank())
            .map(words -> text("first_sentence", words, LONGEST_SENTENCE)),
        Optional.ofNullable(waitForGreeting).orElse(true),
        Optional.empty());
  }

  /**
   * How long it lasts at most.
   *
   * @throws Failure 400 {@code invalid_params}
   */
  int minutes() {
    int minutes = Optional.ofNullable(maxDuration).orElse(CallOrder.DEFAULT_MINUTES);
    if (minutes < 1 || minutes > CallOrder.MOST_MINUTES) {
      throw Failure.invalid("max_duration is 1 to " + CallOrder.MOST_MINUTES + " minutes");
    }
    return minutes;
  }

  private void requireEnglish() {
    if (language != null && !language.toLowerCase(Locale.ROOT).matches("en([-_].*)?|english")) {
      throw Failure.invalid("language is English, the only one that is spoken");
    }
  }

  private static String text(String name, String text, int longest) {
    if (text.codePointCount(0, text.length()) > longest) {
      throw Failure.invalid(name + " has at most " + longest + " characters");
    }
    if (CONTROLS.matcher(text).find()) {
      throw Failure.invalid(name + " has a control character");
    }
    return text;
  }

  /** Numbers that are called. */
  static final class Callee {

    private Callee() {}

    /**
     * The number, which is not an emergency's.
     *
     * @param name of the parameter
     * @throws Failure 400 {@code invalid_phone_number}
     */
    static PhoneNumber of(String name, String text) {
      PhoneNumber number = PhoneNumber.of(name, text);
      if (number.isEmergency()) {
        throw new Failure(ErrorCode.INVALID_PHONE_NUMBER, name + " is an emergency number");
      }
      return number;
    }
  }
}
