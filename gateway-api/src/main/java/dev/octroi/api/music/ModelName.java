package dev.octroi.api.music;

import dev.octroi.api.catalogue.Field;
import jakarta.validation.constraints.NotBlank;
import org.jspecify.annotations.Nullable;

/** The one member of an order that decides its price. */
public record ModelName(
    @Field(value = "A music model") @NotBlank(message = "is required") @Nullable String model) {}
