package dev.octroi.api.settings;

import java.util.List;

/** What is special about the prediction vendor, {@code gateway.prediction}. */
public record MarketSettings(
    @Setting(
            about =
                "Venues whose order book windows are milliseconds upstream, by their neutral words;"
                    + " callers give Unix seconds everywhere.",
            value = "venue-a,venue-b,venue-d,venue-e,venue-f")
        List<String> millisecondVenues,
    @Setting(about = "Whether provider fields carry the venues' real names.", value = "false")
        boolean realNames) {

  public MarketSettings {
    millisecondVenues.forEach(Aliases::requireVenue);
  }
}
