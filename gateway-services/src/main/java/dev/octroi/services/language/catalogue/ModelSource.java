package dev.octroi.services.language.catalogue;

import dev.octroi.services.language.Dialect;

/**
 * Where a model runs.
 *
 * @param upstream the configured name of its upstream
 * @param model what the upstream calls it
 * @param protocol what the upstream speaks
 */
public record ModelSource(String upstream, String model, Dialect protocol) {}
