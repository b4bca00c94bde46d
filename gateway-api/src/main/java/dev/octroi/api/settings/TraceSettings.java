package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.net.URI;
import java.util.Optional;

/** Traces of calls by OpenTelemetry, {@code gateway.traces}. */
public record TraceSettings(
    @Setting(
            about =
                "Where spans are sent: an OTLP receiver over HTTP with its path, such as"
                    + " `http://127.0.0.1:4318/v1/traces`. Without it there are no traces.")
        Optional<URI> endpoint,
    @Setting(about = "Sent as `Authorization` to the receiver, such as `Bearer …`.")
        Secret authorization,
    @Setting(about = "How many of a hundred traces are kept.", value = "100") @Min(1) @Max(100)
        int percent,
    @Setting(about = "The service's name in the traces.", value = "octroi") @NotBlank
        String service) {}
