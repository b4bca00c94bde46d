package dev.octroi.api.settings;

/** The operator's console, {@code gateway.console}. */
public record ConsoleSettings(
    @Setting(
            about =
                "Serves the operator's console at `/console`, a page that asks for the operator's"
                    + " token; never without `gateway.admin.token`.",
            value = "true")
        boolean enabled) {}
