package dev.octroi.api.music;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.octroi.api.catalogue.Field;
import dev.octroi.services.music.MusicModel;
import dev.octroi.services.music.TrackOrder;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/audio/generations} (specification, music). */
public record MusicBody(
    @Field(value = "Genre, mood, tempo")
        @NotBlank(message = "is required")
        @Size(
            max = TrackOrder.LONGEST_PROMPT,
            message = "has at most " + TrackOrder.LONGEST_PROMPT + " characters")
        @Nullable String prompt,
    @Field(value = "Nothing is sung", byDefault = "false") @Nullable Boolean instrumental,
    @Field("Ignored if instrumental")
        @Size(
            max = TrackOrder.LONGEST_LYRICS,
            message = "has at most " + TrackOrder.LONGEST_LYRICS + " characters")
        @Nullable String lyrics,
    @Field(value = "A wish", byDefault = "" + TrackOrder.LONGEST_SECONDS)
        @JsonProperty("duration_seconds")
        @Min(value = 1, message = "is 1 to " + TrackOrder.LONGEST_SECONDS)
        @Max(value = TrackOrder.LONGEST_SECONDS, message = "is 1 to " + TrackOrder.LONGEST_SECONDS)
        @Nullable Integer seconds) {

  /** What it asks of a model; lyrics are of no use where nothing is sung. */
  TrackOrder order(MusicModel model) {
    boolean silent = Boolean.TRUE.equals(instrumental);
    return new TrackOrder(
        model,
        Objects.requireNonNull(prompt),
        silent,
        Optional.ofNullable(lyrics).filter(words -> !silent && !words.isBlank()),
        Objects.requireNonNullElse(seconds, TrackOrder.LONGEST_SECONDS));
  }
}
