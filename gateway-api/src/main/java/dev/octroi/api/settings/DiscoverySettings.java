package dev.octroi.api.settings;

import jakarta.validation.constraints.Pattern;
import java.util.List;

/** How those who buy find out what is sold, {@code gateway.discovery}. */
public record DiscoverySettings(
    @Setting(
            about =
                "Whether `/.well-known/x402`, `/discovery/resources` and `/llms.txt` are served.",
            value = "true")
        boolean enabled,
    @Setting(
            about =
                "What this service is called in listings and challenges: 1 to 32 printable ASCII"
                    + " characters.",
            value = "Octroi")
        @Pattern(regexp = "[ -~]{1,32}", message = "is 1 to 32 printable ASCII characters")
        String serviceName,
    @Setting(
            about =
                "Whether the body of a challenge says how its resource is called (the `bazaar`"
                    + " extension), by which facilitators list it.",
            value = "true")
        boolean bazaar,
    @Setting(
            about =
                "Signatures by which indexes of services know that the address and the recipient"
                    + " belong together, comma-separated, for `/.well-known/x402`.")
        List<String> ownershipProofs,
    @Setting(
            about =
                "Whether an unpaid call of a browser, which asks for `text/html` first, is answered"
                    + " with a page: what it costs and how to pay.",
            value = "true")
        boolean paywall) {}
