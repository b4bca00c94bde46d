package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Uploads that break off or cannot be read: refused as the caller's fault or not answered at all,
 * and the payment that came with them is still good. Raw sockets, because clients do better.
 */
abstract class BrokenUploadsBehaviour extends Behaviour {

  private static final String UNKNOWN_CODING = "Transfer-Encoding: nonsense\r\n\r\n{}";

  /** What HTTP has a server answer to that, and Tomcat does. */
  private static final int NO_SUCH_CODING = 501;

  private static final int TIMEOUT_MILLIS = 20_000;
  private static final String SQL = CRYPTO_DATA + "/onchain/sql";
  private static final String GOOD = "{\"sql\":\"SELECT 1 AS one\"}";
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 100\r\n\r\n{\"sql\":",
        "Content-Length: 200000\r\n\r\n{\"sql\":",
        CHUNKED,
        CHUNKED + "20\r\n{\"sql\":",
        CHUNKED + "zz\r\n{}\r\n0\r\n\r\n",
        CHUNKED + "-2\r\n{}\r\n0\r\n\r\n",
        CHUNKED + "fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        "Content-Length: two\r\n\r\n{}",
        "Content-Length: -2\r\n\r\n{}",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
        UNKNOWN_CODING,
        "Expect: 100-continue\r\nContent-Length: 100\r\n\r\n"
      })
  void aBrokenUploadIsTheCallersFault(String rest) {
    Call good = Call.post(SQL, GOOD);
    String payment = deployment().payment(good);
    for (String path : new String[] {SQL, "/v1/chat/completions", "/mcp"}) {
      String answer = sent(path, path.equals(SQL) ? payment : null, rest);
      if (!answer.isEmpty()) {
        int status = Integer.parseInt(answer.substring(9, 12));
        if (!rest.equals(UNKNOWN_CODING) || status != NO_SUCH_CODING) {
          assertThat(status).as(path + ": " + answer).isBetween(400, 499);
        }
      }
    }
    assertStillGood(payment, good);
  }

  /** What comes back, without the word that the body may come, until the connection ends. */
  private String sent(String path, @Nullable String payment, String rest) {
    URI base = deployment().base();
    String request =
        "POST "
            + base.getRawPath().replaceAll("/$", "")
            + path
            + " HTTP/1.1\r\nHost: "
            + base.getAuthority()
            + "\r\nContent-Type: application/json\r\n"
            + (payment == null ? "" : "PAYMENT-SIGNATURE: " + payment + "\r\n")
            + rest;
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1)
          .replaceFirst("(?s)^HTTP/1\\.1 100.*?\r\n\r\n", "");
    } catch (SocketException cutOff) {
      return "";
    } catch (IOException e) {
      throw new AssertionError(path + " with " + rest + ": held without an answer", e);
    }
  }
}
