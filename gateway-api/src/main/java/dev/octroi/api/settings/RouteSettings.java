package dev.octroi.api.settings;

import dev.octroi.payments.Usd;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A server that is sold below a path, {@code gateway.routes.<word>}. */
public record RouteSettings(
    @Setting(
            about =
                "Where it lies: `/weather` and everything below it. `/` is everything that the"
                    + " gateway does not serve itself.")
        String path,
    @Setting(
            about =
                "The server that answers: with the path `/weather` and the target"
                    + " `http://127.0.0.1:9000/api`, `/weather/paris` is asked for as `/api/paris`.")
        URI target,
    @Setting(
            about =
                "What a call costs in dollars where no rule says otherwise. May be left out only"
                    + " where `openapi` prices each operation.")
        Optional<Usd> price,
    @Setting(
            about =
                "What a call that the server is asked for costs you, in dollars; for the report of"
                    + " margins alone.")
        Optional<Usd> cost,
    @Setting(
            about =
                "The methods that are sold, comma-separated: GET, POST, PUT, PATCH, DELETE. Unless"
                    + " set, those of `openapi`, else GET and POST.")
        List<String> methods,
    @Setting(
            about =
                "Prices by method and path below the route, comma-separated: `POST /search=0.05`,"
                    + " `/reports/*=0.02` or `GET /users/{id}=0.001`. The most specific path holds;"
                    + " without a method it is for all.")
        List<String> rules,
    @Setting(
            about =
                "Paths below the route that cost nothing, comma-separated, such as `/about` or"
                    + " `/public/*`.")
        List<String> free,
    @Setting(about = "What is sold, in a sentence.") @Size(max = 500) String description,
    @Setting(
            about =
                "The server's own description (OpenAPI 3, JSON or YAML), a file or an address: what"
                    + " it names is sold, with its parameters, schemas and texts, at its `x-price`"
                    + " or the route's price. Paths that it does not name are not sold.")
        Optional<String> openapi,
    @Setting(
            about =
                "When the money moves: `after` the server has answered with success; or `before` it"
                    + " is asked, which is refunded where it then fails.",
            value = "after")
        Moment settle,
    @Setting(
            about =
                "Whether the price is a ceiling: the server states what it charges in the header"
                    + " `Settlement-Overrides`, and is paid that by API key and by the scheme"
                    + " `upto`. Only with `settle=after`.",
            value = "false")
        boolean metered,
    @Setting(
            about =
                "Whether answers leave as they come, such as event streams: the money moves once"
                    + " the head of a success is there.",
            value = "false")
        boolean streaming,
    @Setting(
            about =
                "What becomes of a redirect, which is never followed: `refuse` answers 502,"
                    + " uncharged; `sell` charges and delivers it.",
            value = "refuse")
        Redirects redirects,
    @Setting(
            about =
                "How long the server may take to answer, retries included; of a stream, to begin,"
                    + " and then to be silent.",
            value = "30s")
        Duration deadline,
    @Setting(about = "How long a stream may last in all.", value = "10min") Duration streamTime,
    @Setting(about = "The largest request body.", value = "4MiB") DataSize bodyLimit,
    @Setting(about = "The largest answer that is no stream.", value = "8MiB") DataSize answerLimit,
    @Setting(
            about =
                "The callers' headers that reach the server, comma-separated; `*` for all. Those of"
                    + " the connection, of payments and of API keys never do.",
            value = "*")
        List<String> requestHeaders,
    @Setting(
            about =
                "The server's headers that reach callers, comma-separated; `*` for all. Those of"
                    + " the connection and of payments never do.",
            value = "*")
        List<String> responseHeaders,
    @Setting(
            about =
                "A header that the server gets with each call, by its name, such as your key for"
                    + " it; in place of what the caller sent.")
        Map<String, Secret> header,
    @Setting(
            about =
                "How long an answer to a GET may be given again, charged like any other: to the"
                    + " same payer, and to others what the server calls `public`. What it calls"
                    + " `private` or `no-store`, or sets a cookie with, is not kept.",
            value = "0s")
        Duration cache,
    @Setting(
            about = "Further attempts of a GET that got no answer, or 502, 503 or 504.",
            value = "1")
        @Min(0)
        @Max(3)
        int retries,
    @Setting(about = "Connections to the server at most.", value = "64") @Min(1) @Max(4096)
        int connections,
    @Setting(
            about =
                "Which share of the last twenty calls must have failed, in percent, for the server"
                    + " to be left alone for ten seconds; 100 is all of them.",
            value = "50")
        @Min(1)
        @Max(100)
        int breaker,
    @Setting(about = "Whether it is sold at all.", value = "true") boolean enabled) {

  /** When the money moves. */
  public enum Moment {
    AFTER,
    BEFORE
  }

  /** What becomes of a redirect. */
  public enum Redirects {
    REFUSE,
    SELL
  }

  /** As long as the messages' bodies, which are the longest. */
  private static final long LONGEST_BODY = 32L << 20;

  private static final Duration LONGEST_CALL = Duration.ofMinutes(2);
  private static final Duration LONGEST_STREAM = Duration.ofHours(1);

  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
  private static final Pattern VALUE =
      Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?");

  public RouteSettings {
    within("deadline", deadline, Duration.ofMillis(100), LONGEST_CALL);
    within("stream-time", streamTime, Duration.ofSeconds(1), LONGEST_STREAM);
    within("cache", cache, Duration.ZERO, Duration.ofDays(1));
    if (bodyLimit.bytes() > LONGEST_BODY || answerLimit.bytes() > LONGEST_BODY) {
      throw new IllegalArgumentException("body-limit and answer-limit are at most 32MiB");
    }
    if (metered && (settle != Moment.AFTER || streaming)) {
      throw new IllegalArgumentException("metered needs settle=after and no streaming");
    }
    header.forEach(
        (name, value) -> {
          if (!HEADER.matcher(name).matches() || !VALUE.matcher(value.value()).matches()) {
            throw new IllegalArgumentException(
                "header." + name + " is no header with a value of printable characters");
          }
        });
  }

  private static void within(String what, Duration given, Duration least, Duration most) {
    if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          what + " is " + least.toMillis() + "ms to " + most.toSeconds() + "s");
    }
  }

  /**
   * Reads one that is set in several places.
   *
   * @param word its name
   * @param sources the strongest first; keys are whole ones
   * @throws InvalidSettings with every problem
   */
  public static RouteSettings read(String word, SettingsSources sources) {
    return SettingsReader.read(RouteSettings.class, "gateway.routes." + word, sources);
  }
}
