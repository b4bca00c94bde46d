package dev.octroi.api.voice;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.octroi.api.catalogue.Field;
import jakarta.validation.constraints.NotBlank;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /call/end} (decisions, end). */
record EndBody(
    @Field("The call") @JsonProperty("call_id") @NotBlank(message = "(call_id) is required")
        @Nullable String callId) {

  String call() {
    return Objects.requireNonNull(callId);
  }
}
