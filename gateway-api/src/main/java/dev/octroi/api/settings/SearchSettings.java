package dev.octroi.api.settings;

/** What is special about web search, {@code gateway.websearch}. */
public record SearchSettings(
    @Setting(
            about = "Whether `find-similar` is sold; otherwise it is 404, uncharged.",
            value = "false")
        boolean findSimilar) {}
