package dev.octroi.api.route;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.octroi.payments.body.BodyMemory.ByteBudget;
import dev.octroi.services.upstream.ProxyAnswer;
import dev.octroi.services.upstream.ProxyRequest.Header;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Answers of a route that may be given again for a while (RFC 9111, as a shared cache): to the
 * payer that got it, and to other payers only what the server calls public. A payer is to the
 * server who a user is by {@code Authorization}. Thread-safe.
 */
final class RouteCache {

  /** By which answers may differ and are told apart here; others are not kept. */
  private static final List<String> TOLD_APART =
      List.of("accept", "accept-encoding", "accept-language", "origin");

  private static final Set<String> OF_ONE_CALLER = Set.of("authorization", "cookie");
  private static final Set<String> NOT_KEPT = Set.of("no-store", "no-cache", "private");
  private static final Set<String> PUBLIC = Set.of("public", "s-maxage");

  /** What an entry takes besides its bytes. */
  private static final int OVERHEAD = 512;

  private final Duration longest;
  private final Clock clock;
  private final Cache<Key, Kept> kept;
  private final ByteBudget copying;

  /**
   * What was asked for.
   *
   * @param payer empty for what all may have
   */
  private record Key(String target, String payer, List<String> told) {

    int weight() {
      return target.length() + payer.length() + told.stream().mapToInt(String::length).sum();
    }
  }

  /**
   * An answer.
   *
   * @param until when it is no longer fresh
   */
  record Kept(List<Header> headers, byte[] body, Instant since, Instant until) {

    int weight() {
      int length = OVERHEAD + body.length;
      for (Header header : headers) {
        length += header.name().length() + header.value().length();
      }
      return length;
    }
  }

  /**
   * @param longest how long an answer may be given again
   * @param bytes what all of them may take up, and as much those that come at the moment
   */
  RouteCache(Duration longest, long bytes, Clock clock) {
    this.longest = longest;
    this.clock = clock;
    this.copying = new ByteBudget(bytes);
    this.kept =
        Caffeine.newBuilder()
            .maximumWeight(bytes)
            .weigher((Key key, Kept one) -> key.weight() + one.weight())
            .build();
  }

  /** Begins to copy an answer that comes. */
  Copy copy() {
    return new Copy();
  }

  /** An answer's bytes, as far as there is room for them. Used by one thread. */
  final class Copy implements AutoCloseable {

    private ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long taken;
    private boolean whole = true;

    void add(byte[] chunk, int length) {
      whole = whole && copying.take(length);
      if (whole) {
        taken += length;
        bytes.write(chunk, 0, length);
      } else {
        close();
      }
    }

    boolean isWhole() {
      return whole;
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }

    @Override
    public void close() {
      bytes = new ByteArrayOutputStream();
      copying.giveBack(taken);
      taken = 0;
    }
  }

  /** A fresh answer for a payer to a request as the server would get it. */
  Optional<Kept> find(String target, String payer, List<Header> request) {
    Map<String, String> asked = joined(request);
    if (isOfOneCaller(asked) || directives(asked).keySet().stream().anyMatch(NOT_KEPT::contains)) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    return Optional.ofNullable(kept.getIfPresent(key(target, payer, asked)))
        .filter(one -> now.isBefore(one.until()))
        .or(
            () ->
                Optional.ofNullable(kept.getIfPresent(key(target, "", asked)))
                    .filter(one -> now.isBefore(one.until())));
  }

  /** Keeps an answer, if it may be given again. */
  void keep(
      String target,
      String payer,
      List<Header> request,
      ProxyAnswer answer,
      List<Header> headers,
      byte[] body) {
    Map<String, String> asked = joined(request);
    Map<String, String> said = directives(Map.of("cache-control", said(answer, "Cache-Control")));
    Duration fresh = fresh(said, answer);
    boolean may =
        answer.status() == 200
            && !isOfOneCaller(asked)
            && !directives(asked).containsKey("no-store")
            && answer.header("Set-Cookie").isEmpty()
            && said.keySet().stream().noneMatch(NOT_KEPT::contains)
            && TOLD_APART.containsAll(words(said(answer, "Vary")))
            && !fresh.isZero()
            && !fresh.isNegative();
    if (may) {
      boolean shared = said.keySet().stream().anyMatch(PUBLIC::contains);
      Instant now = clock.instant();
      kept.put(
          key(target, shared ? "" : payer, asked), new Kept(headers, body, now, now.plus(fresh)));
    }
  }

  private Duration fresh(Map<String, String> said, ProxyAnswer answer) {
    Duration age = Duration.ofSeconds(seconds(said(answer, "Age")).orElse(0L));
    Duration left =
        seconds(said.get("s-maxage"))
            .or(() -> seconds(said.get("max-age")))
            .map(Duration::ofSeconds)
            .or(() -> answer.header("Expires").map(end -> untilExpired(answer, end)))
            .map(most -> most.minus(age))
            .orElse(longest);
    return left.compareTo(longest) < 0 ? left : longest;
  }

  /** By the server's own clock. What is no time, such as 0, is over. */
  private Duration untilExpired(ProxyAnswer answer, String end) {
    Instant made = time(said(answer, "Date")).orElseGet(clock::instant);
    return time(end).map(over -> Duration.between(made, over)).orElse(Duration.ZERO);
  }

  private static Optional<Instant> time(String httpDate) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(httpDate, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Optional<Long> seconds(@org.jspecify.annotations.Nullable String text) {
    return Optional.ofNullable(text)
        .map(value -> value.replace("\"", "").strip())
        .filter(value -> value.matches("[0-9]{1,9}"))
        .map(Long::valueOf);
  }

  private static boolean isOfOneCaller(Map<String, String> asked) {
    return OF_ONE_CALLER.stream().anyMatch(asked::containsKey);
  }

  private static Key key(String target, String payer, Map<String, String> asked) {
    return new Key(
        target, payer, TOLD_APART.stream().map(name -> asked.getOrDefault(name, "")).toList());
  }

  private static Map<String, String> joined(List<Header> headers) {
    Map<String, String> joined = new HashMap<>();
    headers.forEach(
        header ->
            joined.merge(
                header.name().toLowerCase(Locale.ROOT),
                header.value(),
                (one, other) -> one + "," + other));
    return joined;
  }

  private static String said(ProxyAnswer answer, String name) {
    return answer.header(name).orElse("");
  }

  private static Map<String, String> directives(Map<String, String> headers) {
    Map<String, String> directives = new HashMap<>();
    for (String directive : headers.getOrDefault("cache-control", "").split(",", -1)) {
      String[] parts = directive.strip().split("=", 2);
      directives.put(parts[0].strip().toLowerCase(Locale.ROOT), parts.length > 1 ? parts[1] : "");
    }
    if (headers.getOrDefault("pragma", "").toLowerCase(Locale.ROOT).contains("no-cache")) {
      directives.put("no-cache", "");
    }
    return directives;
  }

  private static Set<String> words(String list) {
    return Arrays.stream(list.toLowerCase(Locale.ROOT).split(",", -1))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toSet());
  }
}
