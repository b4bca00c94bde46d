package dev.octroi.payments.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.x402.PaymentHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bodies as they come: announced by their length, in chunks, by nothing at all, or broken. Payment
 * and method always see the same bytes.
 */
abstract class BodyContract extends ShopContract {

  private static final int PATIENCE_MILLIS = 10_000;
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";

  BodyContract(JaxRs jaxRs) {
    super(jaxRs);
  }

  /** The protocol that the host is spoken with from the second call on. */
  HttpClient.Version version() {
    return HttpClient.Version.HTTP_1_1;
  }

  /** Whether the server may answer or hang up before the application reads the body. */
  boolean refusesBrokenBodies() {
    return false;
  }

  @BeforeEach
  void theProtocolIsAgreed() {
    payer.get("read");
    assertThat(payer.get("read").version()).isEqualTo(version());
  }

  @Test
  void aBodyThatAnnouncesNoLengthIsBoundAsItCame() {
    String payment = payer.payment(payer.send(streamed("")), TestMoney.HERE);
    shop.broken.set(true);
    cut("echo", "first", payment);
    shop.broken.set(false);

    HttpResponse<String> other = payer.send(paid(streamed("other"), payment));
    HttpResponse<String> none = payer.send(paid(payer.to("echo").POST(noBody()), payment));
    HttpResponse<String> same = payer.send(paid(streamed("first"), payment));

    assertThat(other.statusCode()).isEqualTo(402);
    assertThat(none.statusCode()).isEqualTo(402);
    assertThat(same.body()).isEqualTo("first");
    assertThat(shop.runs).hasValue(1);
  }

  @Test
  void aBodyThatAnnouncesNoLengthReachesTheMethod() {
    String payment = payer.payment(payer.send(streamed("")), TestMoney.HERE);

    assertThat(payer.send(paid(streamed("all of it"), payment)).body()).isEqualTo("all of it");
  }

  @Test
  void aCallWithoutABodyIsSoldToAClientThatOffersAnUpgrade() {
    HttpResponse<String> unpaid = payer.send(payer.to("echo").POST(noBody()));

    HttpResponse<String> sold =
        payer.send(paid(payer.to("echo").POST(noBody()), payer.payment(unpaid, TestMoney.HERE)));

    assertThat(sold.statusCode()).isEqualTo(200);
    assertThat(sold.body()).isEmpty();
    assertThat(payer.buy("read").body()).contains("42.0");
  }

  /**
   * What follows such a head is no body by the protocol, and must not become one on either side.
   */
  @Test
  void whatFollowsAnOfferedUpgradeIsNoBodyForPaymentAndMethodAlike() {
    String payment = payer.payment(payer.send(payer.to("echo").POST(noBody())), TestMoney.HERE);

    String answer =
        raw(
            head("echo", payment)
                + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                + "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n\r\nsmuggled",
            false);

    if (answer.startsWith("HTTP/1.1 200")) {
      assertThat(answer.split("\r\n\r\n", 2)[1]).doesNotStartWith("smuggled");
    }
    assertThat(shop.runs.get()).isLessThanOrEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 100\r\n\r\nhalf of it",
        "Content-Length: 100000\r\n\r\nhalf of it",
        CHUNKED + "20\r\nhalf of it",
        CHUNKED + "zz\r\nno size\r\n0\r\n\r\n",
        CHUNKED + "-2\r\nno size\r\n0\r\n\r\n",
        CHUNKED + "fffffffffffffffff\r\ntoo much\r\n0\r\n\r\n",
        CHUNKED
      })
  void aBodyThatIsBrokenIsRefusedAndCountedAndCostsNothing(String rest) {
    String payment = payer.payment(payer.send(streamed("")), TestMoney.HERE);
    for (String path : new String[] {"echo", "letters"}) {
      int before = admission.broken.get();
      String request = path.equals("echo") ? head(path, payment) : head(path, null);

      String answer = raw(request + rest, true);

      assertThat(answer).matches("(?s)(HTTP/1\\.1 400 .*)?");
      if (answer.contains("broke off")) {
        assertThat(admission.broken).hasValue(before + 1);
      } else {
        assertThat(refusesBrokenBodies()).as(answer).isTrue();
      }
    }
    assertThat(shop.runs).hasValue(0);
    assertThat(payer.send(paid(streamed("whole"), payment)).body()).isEqualTo("whole");
  }

  /** A publisher without a length: chunks on HTTP/1.1, and nothing to announce them on HTTP/2. */
  private HttpRequest.Builder streamed(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
    return payer
        .to("echo")
        .version(version())
        .header("Content-Type", "text/plain")
        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)));
  }

  private static HttpRequest.BodyPublisher noBody() {
    return BodyPublishers.noBody();
  }

  private static HttpRequest.Builder paid(HttpRequest.Builder request, String payment) {
    return request.header(PaymentHeaders.PAYMENT_SIGNATURE, payment);
  }

  private String head(String path, String payment) {
    return "POST /shop/api/"
        + path
        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n"
        + (payment == null ? "" : PaymentHeaders.PAYMENT_SIGNATURE + ": " + payment + "\r\n");
  }

  /** What comes back for these bytes until the connection ends. */
  private String raw(String request, boolean ends) {
    try (Socket socket = new Socket("127.0.0.1", host.base().getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      if (ends) {
        socket.shutdownOutput();
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      }
      byte[] first = new byte[4096];
      int read = socket.getInputStream().read(first);
      return new String(first, 0, Math.max(0, read), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
