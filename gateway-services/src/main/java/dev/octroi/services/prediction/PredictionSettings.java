package dev.octroi.services.prediction;

import java.util.Set;

/**
 * How the prediction vendor is spoken to and what its answers become.
 *
 * @param millisecondVenues neutral words of the venues whose order book windows are milliseconds
 *     upstream; the specification's are Unix seconds everywhere
 * @param statedRecords whether the specification's records are made; false passes every body
 *     through (setting {@code records=upstream})
 * @param realNames whether provider fields keep the vendor's names of the venues instead of the
 *     neutral words
 */
public record PredictionSettings(
    Set<String> millisecondVenues, boolean statedRecords, boolean realNames) {

  public PredictionSettings {
    millisecondVenues = Set.copyOf(millisecondVenues);
  }

  /** Stated records with neutral words; milliseconds for every venue's order books. */
  public static PredictionSettings standard() {
    return new PredictionSettings(
        Set.of("venue-a", "venue-b", "venue-d", "venue-e", "venue-f"), true, false);
  }
}
