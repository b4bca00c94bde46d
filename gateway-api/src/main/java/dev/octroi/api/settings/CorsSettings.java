package dev.octroi.api.settings;

import java.time.Duration;
import java.util.List;

/** Which web pages may call the gateway, {@code gateway.cors}. */
public record CorsSettings(
    @Setting(
            about =
                "Origins, comma-separated, such as `https://shop.example`; `*` for any, empty for"
                    + " none. Credentials are headers, never cookies, so that any origin is safe. Sandbox"
                    + " money, which needs none, is served to fewer:"
                    + " `gateway.sandbox.allowed-origins`.",
            value = "*")
        List<String> origins,
    @Setting(about = "How long a browser may remember a preflight.", value = "10min")
        Duration maxAge) {}
