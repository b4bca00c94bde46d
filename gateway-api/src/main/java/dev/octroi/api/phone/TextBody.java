package dev.octroi.api.phone;

import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.TextMessage;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /sms/send} (decisions, SMS). */
record TextBody(
    @NotBlank(message = "is required") @Nullable String from,
    @NotBlank(message = "is required") @Nullable String to,
    @NotBlank(message = "is required")
        @Size(max = TextMessage.LONGEST, message = "has at most 1,600 characters")
        @Nullable String body) {

  /**
   * The message.
   *
   * @throws dev.octroi.services.Failure 400 {@code invalid_phone_number}
   */
  TextMessage message() {
    return new TextMessage(
        PhoneNumber.of("from", Objects.requireNonNull(from)),
        PhoneNumber.of("to", Objects.requireNonNull(to)),
        Objects.requireNonNull(body));
  }
}
