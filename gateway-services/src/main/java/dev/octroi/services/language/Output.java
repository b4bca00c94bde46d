package dev.octroi.services.language;

import org.jspecify.annotations.Nullable;

/**
 * What the answer may be.
 *
 * @param maxTokens most tokens of it, thoughts included; null for the model's own limit
 * @param verbosity {@code low}, {@code medium}, {@code high}; null for the upstream's default
 * @param candidates how many answers are asked for; more than one only where no translation is
 *     needed
 */
public record Output(
    @Nullable Integer maxTokens, Format format, @Nullable String verbosity, int candidates) {

  public static final Output DEFAULT = new Output(null, new Format.Prose(), null, 1);
}
