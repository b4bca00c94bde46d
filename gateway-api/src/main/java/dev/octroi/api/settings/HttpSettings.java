package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How the gateway is reached, {@code gateway.http}. */
public record HttpSettings(
    @Setting(
            about =
                "The address to listen on. In a container, say here what the container binds to:"
                    + " sandbox money is not served on a public address.",
            value = "127.0.0.1")
        @NotBlank
        String bindAddress,
    @Setting(
            about = "The port to listen on; 0 takes a free one. A container has its own.",
            value = "8402")
        @Min(0)
        @Max(65_535)
        int port,
    @Setting(
            about =
                "The address that callers use, for absolute addresses in answers and challenges."
                    + " Without it, a trusted proxy's forwarded headers or the connector's own.")
        Optional<URI> publicUrl,
    @Setting(
            about =
                "Addresses of proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed,"
                    + " comma-separated, each an address or a block such as `10.0.0.0/8`.")
        List<String> trustedProxies,
    @Setting(about = "Whether answers are compressed for callers that ask.", value = "true")
        boolean gzip,
    @Setting(about = "The smallest answer that is compressed.", value = "1KiB") DataSize gzipFrom,
    @Setting(about = "How long calls in flight may take to end at shutdown.", value = "20s")
        Duration shutdownGrace,
    @Setting(
            about =
                "How long a node that is to stop still takes calls while `/health/ready` says 503,"
                    + " so that load balancers stop sending; longer than their probes need.",
            value = "0s")
        Duration drainDelay) {}
