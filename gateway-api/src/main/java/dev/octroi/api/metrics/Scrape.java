package dev.octroi.api.metrics;

import java.util.Optional;

/**
 * What there is to read.
 *
 * @param metrics empty where nothing is counted
 */
public record Scrape(Optional<GatewayMetrics> metrics) {}
