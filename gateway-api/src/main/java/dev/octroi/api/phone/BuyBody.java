package dev.octroi.api.phone;

import dev.octroi.api.catalogue.Field;
import dev.octroi.services.phone.Country;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code POST /numbers/buy} (specification, phone). */
record BuyBody(
    @Field(value = "Where")
        @NotBlank(message = "is required")
        @Pattern(regexp = "US|CA", message = "is US or CA")
        @Nullable String country,
    @Field("A wish")
        @Pattern(regexp = "[2-9][0-9]{2}", message = "has three digits, the first of them 2 to 9")
        @Nullable String areaCode) {

  Country from() {
    return Country.valueOf(Objects.requireNonNull(country));
  }

  Optional<String> area() {
    return Optional.ofNullable(areaCode);
  }
}
