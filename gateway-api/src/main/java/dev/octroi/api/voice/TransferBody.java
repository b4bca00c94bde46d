package dev.octroi.api.voice;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.octroi.api.catalogue.Field;
import dev.octroi.services.phone.PhoneNumber;
import jakarta.validation.constraints.NotBlank;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /call/transfer} (decisions, transfer). */
record TransferBody(
    @Field("The call") @JsonProperty("call_id") @NotBlank(message = "(call_id) is required")
        @Nullable String callId,
    @Field("E.164") @NotBlank(message = "is required") @Nullable String to) {

  String call() {
    return Objects.requireNonNull(callId);
  }

  /**
   * Whom the call is handed to.
   *
   * @throws dev.octroi.services.Failure 400 {@code invalid_phone_number}
   */
  PhoneNumber callee() {
    return Callee.of("to", Objects.requireNonNull(to));
  }
}
