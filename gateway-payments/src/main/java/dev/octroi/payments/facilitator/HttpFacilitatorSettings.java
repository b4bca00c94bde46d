package dev.octroi.payments.facilitator;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How remote facilitators are asked.
 *
 * @param urls their base addresses, 1 to 8, in the order in which they are asked
 * @param connect how long a connection may take to open
 * @param verify how long one facilitator may take to verify, and to say what it supports
 * @param settle how long it may take to settle, a chain's confirmation included
 * @param refresh how often they are asked what they support
 * @param forget how long what one supports is believed while it does not answer that question
 * @param maxAnswer the longest answer, in bytes
 */
public record HttpFacilitatorSettings(
    List<URI> urls,
    Duration connect,
    Duration verify,
    Duration settle,
    Duration refresh,
    Duration forget,
    int maxAnswer) {

  private static final int MAX_URLS = 8;
  private static final int LEAST_ANSWER = 1024;

  public HttpFacilitatorSettings {
    urls = List.copyOf(urls);
    require(!urls.isEmpty() && urls.size() <= MAX_URLS, "1 to 8 facilitators are asked");
    for (URI url : urls) {
      require(isHttp(url), "a facilitator's address is http or https, without query or user");
    }
    for (Duration time : List.of(connect, verify, settle, refresh, forget)) {
      require(!time.isNegative() && !time.isZero(), "what waits for a facilitator has a deadline");
    }
    require(maxAnswer >= LEAST_ANSWER, "an answer may have 1024 bytes at least");
  }

  /** The defaults: 2 s, 5 s and 30 s; supported refreshed each minute, forgotten after five. */
  public static HttpFacilitatorSettings of(List<URI> urls) {
    return new HttpFacilitatorSettings(
        urls,
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        64 << 10);
  }

  private static boolean isHttp(URI url) {
    return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
        && url.getHost() != null
        && url.getRawUserInfo() == null
        && url.getRawQuery() == null
        && url.getRawFragment() == null;
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
