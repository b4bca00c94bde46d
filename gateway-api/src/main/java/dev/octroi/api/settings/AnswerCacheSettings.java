package dev.octroi.api.settings;

/** The freshness cache of read answers, {@code gateway.cache}. */
public record AnswerCacheSettings(
    @Setting(
            about =
                "Memory for answers that are still fresh (prediction reads 5 s, sports 60 s,"
                    + " leaderboard 15 min), per group; `0B` asks the upstream every time.",
            value = "32MiB")
        DataSize size) {}
