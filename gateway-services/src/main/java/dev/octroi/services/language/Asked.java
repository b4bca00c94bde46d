package dev.octroi.services.language;

import java.time.Instant;

/**
 * What an answer repeats of its call.
 *
 * @param model the catalogue's name of the model that ran
 * @param at when the call was made
 */
public record Asked(Prompt prompt, String model, Instant at) {}
