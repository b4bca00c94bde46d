package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.Map;

/** What a caller may ask for at once and per minute, {@code gateway.limits}. */
public record LimitSettings(
    @Setting(
            about = "Calls per minute and payer, by group. Each of several nodes allows its share.",
            value = "prediction=100")
        Map<String, Integer> requestsPerMinute,
    @Setting(
            about = "Calls per minute and payer in a group that is not named, shared likewise.",
            value = "600")
        @Min(1)
        @Max(10_000_000)
        int otherRequestsPerMinute,
    @Setting(about = "Calls in flight per payer and group.", value = "32") @Min(1) @Max(100_000)
        int inFlightPerPayer,
    @Setting(about = "Calls in flight per group, of all payers.", value = "512")
        @Min(1)
        @Max(100_000)
        int inFlightPerGroup,
    @Setting(about = "Unpaid calls per minute and client address, shared likewise.", value = "1200")
        @Min(1)
        @Max(10_000_000)
        int unpaidPerMinute,
    @Setting(
            about =
                "Payers and client addresses that are counted at a time; the least recent are"
                    + " forgotten first.",
            value = "100000")
        @Min(100)
        @Max(10_000_000)
        int counted,
    @Setting(about = "The largest JSON body.", value = "4MiB") DataSize jsonBody,
    @Setting(about = "How deep a JSON body may nest.", value = "64") @Min(1) @Max(1000)
        int jsonDepth,
    @Setting(
            about = "How long a request body may take to arrive; a later one is 408.",
            value = "2min")
        Duration bodyTime,
    @Setting(
            about =
                "How much of a request body must arrive per second, over ten seconds; a slower one"
                    + " is 408.",
            value = "1KiB")
        DataSize bodyRate,
    @Setting(
            about =
                "Threads of the server that may wait for request bodies at a time; one body more is"
                    + " 503. Stay well below the server's threads. The jar waits without any.",
            value = "64")
        @Min(1)
        @Max(100_000)
        int bodiesAwaited) {

  public LimitSettings {
    requestsPerMinute.forEach(
        (group, rate) -> {
          if (rate < 1 || rate > 10_000_000) {
            throw new IllegalArgumentException(
                "requests-per-minute." + group + " is 1 to 10,000,000");
          }
        });
    if (bodyTime.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("body-time is a second or more");
    }
  }

  /** Calls per minute that a payer may make in a group. */
  public int requestsPerMinute(String group) {
    return requestsPerMinute.getOrDefault(group, otherRequestsPerMinute);
  }
}
