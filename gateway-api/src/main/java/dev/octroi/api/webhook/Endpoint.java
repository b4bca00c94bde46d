package dev.octroi.api.webhook;

import dev.octroi.api.settings.WebhookSettings;
import dev.octroi.services.HostThreads;
import dev.octroi.services.web.WebPost;
import dev.octroi.services.web.WebPost.Posted;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Where events are sent to, and what this node has sent there. Thread-safe. */
final class Endpoint implements AutoCloseable {

  /** Deliveries that this node sends to it side by side. */
  static final int AT_ONCE = 4;

  /** For the whole of a request. */
  static final Duration DEADLINE = Duration.ofSeconds(15);

  private static final String HMAC = "HmacSHA256";

  private final String word;
  private final WebhookSettings settings;
  private final WebPost post;
  private final AtomicInteger sending = new AtomicInteger();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder failed = new LongAdder();

  Endpoint(String word, WebhookSettings settings, HostThreads threads) {
    this.word = word;
    this.settings = settings;
    // One more for the operator's test.
    this.post =
        new WebPost(settings.address(), settings.privateNetwork(), DEADLINE, AT_ONCE + 1, threads);
  }

  String word() {
    return word;
  }

  WebhookSettings settings() {
    return settings;
  }

  boolean wants(String type) {
    return settings.types().contains(type);
  }

  /** How many deliveries this node sends at the moment. */
  AtomicInteger sending() {
    return sending;
  }

  /** How many events this node has delivered since it started. */
  LongAdder delivered() {
    return delivered;
  }

  /** How many events this node has given up since it started. */
  LongAdder failed() {
    return failed;
  }

  /**
   * Sends an event, signed.
   *
   * @param id what the receiver knows it by, the same at each attempt
   */
  Posted send(String id, Instant now, byte[] body) {
    String timestamp = Long.toString(now.getEpochSecond());
    return post.post(
        Map.of(
            "webhook-id", id,
            "webhook-timestamp", timestamp,
            "webhook-signature", signature(settings.keys(), id, timestamp, body)),
        body);
  }

  /** A signature by each key, separated by blanks. */
  static String signature(List<byte[]> keys, String id, String timestamp, byte[] body) {
    byte[] signed = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    return keys.stream()
        .map(key -> "v1," + Base64.getEncoder().encodeToString(mac(key, signed, body)))
        .collect(Collectors.joining(" "));
  }

  private static byte[] mac(byte[] key, byte[] first, byte[] second) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      mac.update(first);
      return mac.doFinal(second);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + HMAC, e);
    }
  }

  @Override
  public void close() {
    post.close();
  }
}
