package dev.octroi.api.music;

import jakarta.validation.constraints.NotBlank;
import org.jspecify.annotations.Nullable;

/** The one member of an order that decides its price. */
public record ModelName(@NotBlank(message = "is required") @Nullable String model) {}
