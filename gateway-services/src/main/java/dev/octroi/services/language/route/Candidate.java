package dev.octroi.services.language.route;

import dev.octroi.services.language.Target;
import dev.octroi.services.language.catalogue.Model;
import dev.octroi.services.language.catalogue.ModelSource;
import dev.octroi.services.language.price.TokenQuote;

/**
 * A model that may run a request.
 *
 * @param model that runs
 * @param quote what the request costs with it at most
 * @param maxOutput what it is told to write at most
 */
public record Candidate(Model model, TokenQuote quote, int maxOutput) {

  /** What a prompt is written for. */
  public Target target() {
    ModelSource source = model.source();
    return new Target(source.model(), maxOutput, source.quirks());
  }
}
