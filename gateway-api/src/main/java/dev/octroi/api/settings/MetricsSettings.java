package dev.octroi.api.settings;

import java.util.List;

/** Figures for plots and alerts, {@code gateway.metrics}. */
public record MetricsSettings(
    @Setting(about = "Whether calls are counted and `/metrics` is served.", value = "true")
        boolean enabled,
    @Setting(
            about =
                "Addresses that read `/metrics` without the operator's token, comma-separated, each"
                    + " an address or a block such as `10.0.0.0/8`. A request that a proxy forwarded"
                    + " needs the token whatever its address.",
            value = "127.0.0.0/8,::1")
        List<String> readers) {}
