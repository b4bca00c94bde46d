package dev.octroi.api;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Figures as a scraper reads them.
 *
 * @param text Prometheus's text form
 */
record ScrapedMetrics(String text) {

  /** Every name that a query could ask for. */
  Set<String> names() {
    return samples().stream()
        .map(line -> line.split("[{ ]", 2)[0])
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The sum of the samples of a name that have all these labels. */
  double sum(String name, String... labels) {
    return samples().stream()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> List.of(labels).stream().allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private List<String> samples() {
    return text.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
  }
}
