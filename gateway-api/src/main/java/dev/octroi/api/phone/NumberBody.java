package dev.octroi.api.phone;

import dev.octroi.api.catalogue.Field;
import dev.octroi.services.phone.PhoneNumber;
import jakarta.validation.constraints.NotBlank;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What names one number: lookups (specification, phone), renewals, releases (decisions). */
record NumberBody(
    @Field(value = "E.164") @NotBlank(message = "is required") @Nullable String phoneNumber) {

  /**
   * The number.
   *
   * @throws dev.octroi.services.Failure 400 {@code invalid_phone_number}
   */
  PhoneNumber number() {
    return PhoneNumber.of("phoneNumber", Objects.requireNonNull(phoneNumber));
  }
}
