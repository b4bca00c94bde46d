package dev.octroi.api.settings;

import jakarta.validation.constraints.NotBlank;

/** What is special about web search, {@code gateway.websearch}. */
public record SearchSettings(
    @Setting(
            about = "Whether `find-similar` is sold; otherwise it is 404, uncharged.",
            value = "false")
        boolean findSimilar,
    @Setting(
            about =
                "The model or route that writes the summaries of smart searches. A model's fallbacks"
                    + " that cost no more take its place; name one where the cheapest of `auto/search`"
                    + " has no key here.",
            value = "auto/search")
        @NotBlank
        String smartModel) {}
