package dev.octroi.reference;

import dev.octroi.api.settings.DataSize;
import dev.octroi.api.settings.HttpSettings;
import dev.octroi.api.settings.HttpSettings.TlsSettings;
import dev.octroi.api.settings.Secret;
import dev.octroi.payments.body.BodyBuffer;
import dev.octroi.payments.flow.CallLimits;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The ceiling of the load run: a JAX-RS resource with the bytes of a price at hand, on the server
 * of the reference deployment and without the gateway.
 */
public final class BareJersey {

  private static final TlsSettings NO_TLS =
      new TlsSettings(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          new Secret(""),
          Duration.ofSeconds(10));

  /** A free port of the loopback address. */
  static final HttpSettings HTTP =
      new HttpSettings(
          "127.0.0.1",
          0,
          200,
          Optional.empty(),
          List.of(),
          List.of(),
          NO_TLS,
          false,
          DataSize.parse("1KiB"),
          Duration.ofSeconds(1),
          Duration.ZERO,
          Optional.empty());

  static final BodyBuffer BODIES = CallLimits.defaults().bodies();

  private BareJersey() {}

  /** Serves {@code /answer} on a free port until the process is ended. */
  public static void main(String[] arguments) throws Exception {
    try (JettyServer server = JettyServer.start(HTTP, BODIES, new Answering())) {
      System.out.println("ready on " + server.baseUrl() + "/answer");
      Thread.currentThread().join();
    }
  }

  /** The application of the one resource. */
  private static final class Answering extends Application {

    @Override
    public Set<Class<?>> getClasses() {
      return Set.of(Answer.class);
    }
  }

  /** What a priced read answers, for nothing. */
  @Path("/answer")
  public static class Answer {

    private static final byte[] JSON =
        """
        {"data":[{"exchange":"venue-a","pair":"BTC/USDT","last":111501.08,"bid":111498.63,\
        "ask":111503.53,"high_24h":112624.16,"low_24h":109565.34,"volume_24h_base":92781.9725,\
        "change_24h_pct":0.34,"timestamp":1795252965}],\
        "price":{"amount":"0.009500","currency":"USD"}}
        """
            .strip()
            .getBytes(StandardCharsets.UTF_8);

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public byte[] answer() {
      return JSON;
    }
  }
}
