package dev.octroi.sandbox.voice;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of ended calls where the caller asked for it, signed; to this machine only. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the sandbox waits for no message
final class Webhooks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Webhooks::thread);
  private final SecretKeySpec secret;
  private final Clock clock;

  Webhooks(String secret, Clock clock) {
    this.secret = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
    this.clock = clock;
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sandbox-webhooks");
    thread.setDaemon(true);
    return thread;
  }

  /** Tells when it has ended, however it does; an endless call is told when it is stopped. */
  void tell(SandboxCall call, Instant when) {
    call.order()
        .webhook()
        .map(URI::create)
        .filter(address -> LOOPBACK.contains(String.valueOf(address.getHost())))
        .ifPresent(
            address ->
                timer.schedule(
                    () -> send(address, call),
                    Math.max(0, Duration.between(clock.instant(), when).toMillis()),
                    TimeUnit.MILLISECONDS));
  }

  private void send(URI address, SandboxCall call) {
    try {
      Instant now = clock.instant();
      byte[] body = json.writeValueAsBytes(call.details(now));
      String time = Long.toString(now.getEpochSecond());
      HttpRequest message =
          HttpRequest.newBuilder(address)
              .timeout(TIMEOUT)
              .header("Content-Type", "application/json")
              .header("X-Webhook-Timestamp", time)
              .header("X-Webhook-Signature", signature(time, body))
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      http.sendAsync(message, BodyHandlers.discarding())
          .exceptionally(
              gone -> {
                LOG.info("No receiver took the report of the end of call {}", call.id());
                return null;
              });
    } catch (JsonProcessingException | GeneralSecurityException unsent) {
      LOG.warn("The end of call {} could not be told", call.id(), unsent);
    }
  }

  private String signature(String time, byte[] body) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(secret);
    mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(mac.doFinal(body));
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
