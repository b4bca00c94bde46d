package dev.octroi.services.language.relay;

import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.price.TokenQuote;

/**
 * A model that may answer a call.
 *
 * @param most the most that it can cost, never above what the caller was quoted
 */
record Candidate(Model model, TokenQuote most) {}
