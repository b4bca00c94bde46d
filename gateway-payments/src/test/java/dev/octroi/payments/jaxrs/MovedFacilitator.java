package dev.octroi.payments.jaxrs;

import static dev.octroi.payments.facilitator.HostileFacilitator.json;
import static dev.octroi.payments.facilitator.HostileFacilitator.reset;
import static dev.octroi.payments.facilitator.HostileFacilitator.silence;
import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.evm.ExactEvmVerifier;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.facilitator.FacilitatorAuth;
import dev.octroi.payments.facilitator.HostileFacilitator;
import dev.octroi.payments.facilitator.HostileFacilitator.Act;
import dev.octroi.payments.facilitator.HttpFacilitator;
import dev.octroi.payments.facilitator.HttpFacilitator.HttpFacilitatorSettings;
import dev.octroi.payments.facilitator.Settlement;
import dev.octroi.payments.facilitator.UnresolvedPayments.UnresolvedPayment;
import dev.octroi.payments.setup.Payments;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.internal.RuntimeDelegateImpl;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * A shop whose facilitator's name leads to another machine between two questions, which has never
 * heard of the payment. Prints which {@link Scene}s held; run with a hosts file as the JVM's
 * resolver, and no cache.
 */
final class MovedFacilitator {

  /** What happens after the name has moved. */
  enum Scene {
    VERIFIED_HERE_AND_NEVER_ANSWERED_THERE,
    VERIFIED_HERE_AND_UNKNOWN_THERE,
    VERIFIED_HERE_AND_SETTLED_THERE,
    VERIFIED_HERE_AND_NOTHING_LISTENS_THERE,
    SENT_HERE_AND_BROKEN_OFF
  }

  private static final String NAME = "facilitator.test";
  private static final String HERE = "127.0.0.1";
  private static final String THERE = "127.0.0.2";
  private static final String NOBODY = "127.0.0.3";
  private static final String HASH = "0x" + "cd".repeat(32);
  private static final String OTHER_HASH = "0x" + "ef".repeat(32);

  private final Path hosts;
  private final TestMoney money = new TestMoney();
  private final Shop shop = new Shop();
  private final HostileFacilitator here = new HostileFacilitator(HERE, 0);
  private final HostileFacilitator there = new HostileFacilitator(THERE, here.port());
  private TestPayer payer;

  private MovedFacilitator(Path hosts) {
    this.hosts = hosts;
  }

  public static void main(String[] arguments) throws Exception {
    new MovedFacilitator(Path.of(arguments[0])).play();
    System.exit(0);
  }

  /** What the JVM's resolver answers from now on. */
  private void moveTo(String address) {
    try {
      Path next = hosts.resolveSibling("next");
      Files.writeString(next, HERE + " localhost\n" + address + " " + NAME + "\n");
      Files.move(next, hosts, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void play() throws Exception {
    moveTo(THERE);
    assertThat(InetAddress.getByName(NAME).getHostAddress()).isEqualTo(THERE);
    moveTo(HERE);
    assertThat(InetAddress.getByName(NAME).getHostAddress()).isEqualTo(HERE);
    RuntimeDelegate.setInstance(new RuntimeDelegateImpl());
    ShopApplication application = new ShopApplication(shop, payments());
    JettyHost host =
        JettyHost.start(
            context -> new ServletContainer(ResourceConfig.forApplication(application)));
    for (Scene scene : Scene.values()) {
      payer = new TestPayer(host.base());
      shop.runs.set(0);
      moveTo(HERE);
      here.on("verify", movingTo(THERE, json(200, "{\"isValid\":true}")));
      here.on("settle", json(200, settled(HASH)));
      there.on("settle", json(200, settled(OTHER_HASH)));
      try {
        play(scene);
        System.out.println(scene + " held");
      } catch (AssertionError | RuntimeException e) {
        System.out.println(scene + " broke: " + e);
        e.printStackTrace(System.out);
      }
    }
  }

  private Payments payments() {
    ExactEvmVerifier checks = new ExactEvmVerifier(Clock.systemUTC(), Signatures.fastest());
    HttpFacilitatorSettings settings =
        new HttpFacilitatorSettings(
            List.of(URI.create("http://" + NAME + ":" + here.port() + "/x402")),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            64 << 10);
    return Payments.builder()
        .ledger(money.ledger())
        .accept(TestMoney.HERE.payableTo(TestMoney.SELLER, 60))
        .facilitator(
            new HttpFacilitator(
                settings,
                FacilitatorAuth.NONE,
                List.of(TestMoney.HERE.network()),
                Map.of("eip155", checks::verify),
                Clock.systemUTC()))
        .build();
  }

  private static String settled(String hash) {
    return "{\"success\":true,\"transaction\":\"%s\",\"network\":\"%s\"}"
        .formatted(hash, TestMoney.HERE.network());
  }

  private Act movingTo(String address, Act then) {
    return exchange -> {
      moveTo(address);
      then.on(exchange);
    };
  }

  private void play(Scene scene) {
    final int sentHere = here.asked("settle").size();
    final int sentThere = there.asked("settle").size();
    String payment = payer.payment("read");
    switch (scene) {
      case VERIFIED_HERE_AND_NEVER_ANSWERED_THERE -> {
        there.on("settle", silence());
        assertInDoubt(payment);
        assertSent(sentHere, sentThere + 1);
        assertEndsOnce(payment, OTHER_HASH);
        assertSent(sentHere, sentThere + 1);
      }
      case VERIFIED_HERE_AND_UNKNOWN_THERE -> {
        there.on("settle", json(200, "{\"success\":false,\"errorReason\":\"payment_not_found\"}"));
        assertInDoubt(payment);
        assertEndsOnce(payment, OTHER_HASH);
        assertSent(sentHere, sentThere + 1);
      }
      case VERIFIED_HERE_AND_SETTLED_THERE -> {
        HttpResponse<String> answer = payer.get("read", payment);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertSent(sentHere, sentThere + 1);
      }
      case VERIFIED_HERE_AND_NOTHING_LISTENS_THERE -> {
        here.on("verify", movingTo(NOBODY, json(200, "{\"isValid\":true}")));
        assertThat(payer.get("read", payment).statusCode()).isEqualTo(503);
        assertThat(unresolved()).isEmpty();
        moveTo(HERE);
        here.on("verify", json(200, "{\"isValid\":true}"));
        assertThat(payer.get("read", payment).statusCode()).isEqualTo(200);
        assertSent(sentHere + 1, sentThere);
      }
      case SENT_HERE_AND_BROKEN_OFF -> {
        here.on("verify", json(200, "{\"isValid\":true}"));
        here.on("settle", movingTo(THERE, reset()));
        assertInDoubt(payment);
        assertSent(sentHere + 1, sentThere);
        assertEndsOnce(payment, HASH);
        assertSent(sentHere + 1, sentThere);
      }
    }
  }

  /**
   * It is 503 however often the payer sends it; no facilitator is asked to settle again, and no
   * fresh payment is wanted.
   */
  private void assertInDoubt(String payment) {
    for (int times = 0; times < 3; times++) {
      assertThat(payer.get("read", payment).statusCode()).isEqualTo(503);
    }
    assertThat(shop.runs).hasValue(1);
    assertThat(unresolved()).hasSize(1);
  }

  /** The chain proves it, and the answer that was paid for is had. */
  private void assertEndsOnce(String payment, String hash) {
    assertThat(money.close(unresolved().get(0), new Settlement.Settled(hash))).isTrue();
    HttpResponse<String> answer = payer.get("read", payment);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(shop.runs).hasValue(1);
    assertThat(unresolved()).isEmpty();
  }

  private List<UnresolvedPayment> unresolved() {
    return money.unresolved();
  }

  private void assertSent(int expectedHere, int expectedThere) {
    assertThat(here.asked("settle")).as("sent to the first").hasSize(expectedHere);
    assertThat(there.asked("settle")).as("sent to the second").hasSize(expectedThere);
  }
}
