package dev.octroi.api.phone;

import dev.octroi.api.catalogue.Field;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.TextMessage;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code POST /sms/send} (decisions, SMS). */
record TextBody(
    @Field("A number of yours") @NotBlank(message = "is required") @Nullable String from,
    @Field("E.164") @NotBlank(message = "is required") @Nullable String to,
    @NotBlank(message = "is required")
        @Size(max = TextMessage.LONGEST, message = "has at most 1,600 characters")
        @Nullable String body) {

  /**
   * The message.
   *
   * @throws Failure 400 {@code invalid_phone_number}, also for who must not be written to at our
   *     expense
   */
  TextMessage message() {
    PhoneNumber reader = PhoneNumber.of("to", Objects.requireNonNull(to));
    if (reader.isEmergencyOrPremium()) {
      throw new Failure(ErrorCode.INVALID_PHONE_NUMBER, "to is an emergency or premium number.");
    }
    return new TextMessage(
        PhoneNumber.of("from", Objects.requireNonNull(from)), reader, Objects.requireNonNull(body));
  }
}
