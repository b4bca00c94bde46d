package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Prices other than the listed ones, {@code gateway.prices}. */
public record PriceSettings(
    @Setting(
            about =
                "The price book: a properties file with prices other than the listed ones, by row,"
                    + " group and API key, and from when on they hold. The same on every node.")
        Optional<Path> file,
    @Setting(
            about =
                "How long after a change of prices a payment for the former price is still taken,"
                    + " at most 1h.",
            value = "300s")
        Duration grace,
    @Setting(
            about =
                "The listed price of a smart search, `POST /v1/search` and the model `auto/search`,"
                    + " in dollars.",
            value = "0.015")
        Usd smartSearch,
    @Setting(
            about =
                "The listed price of reading a call's record, `GET"
                    + " /v1/marketplace/voice/call/{id}`, in dollars. At 0 it is free to callers"
                    + " that know the call's id.",
            value = "0.542")
        Usd callRecord,
    @Setting(
            about =
                "What your vendor charges you for a call, in dollars, by group or row in the words"
                    + " of the price book: `gateway.prices.cost.group.prediction=0.001` or"
                    + " `gateway.prices.cost.row.GET/v1/…=0.002`. For the report of margins alone:"
                    + " no caller pays by it.")
        Map<String, Usd> cost) {

  private static final Duration LONGEST = Duration.ofHours(1);

  public PriceSettings {
    if (grace.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("grace is 0s to 1h");
    }
  }
}
