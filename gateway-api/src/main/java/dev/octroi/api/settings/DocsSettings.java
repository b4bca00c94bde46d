package dev.octroi.api.settings;

/** Documentation that the gateway serves, {@code gateway.docs}. */
public record DocsSettings(
    @Setting(
            about =
                "Whether `/openapi.json` and the page `/docs` are served. With sandbox money, and"
                    + " only on the machine itself, the page pays for the calls that are tried"
                    + " on it.",
            value = "true")
        boolean enabled) {}
