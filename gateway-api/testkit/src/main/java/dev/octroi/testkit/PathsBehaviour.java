package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spellings of a paid path that one reader on the way may take for another path: no spelling gets
 * an answer unpaid, and none breaks the server. Raw sockets, because clients would mend them.
 */
abstract class PathsBehaviour extends Behaviour {

  private static final int TIMEOUT_MILLIS = 20_000;

  abstract boolean isServersOwnFailure(String answer);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1%2Fmarketplace/cryptodata/market/fear-greed",
        "/v1/marketplace/cryptodata/market%2Ffear-greed",
        "/v1/marketplace/cryptodata%2fmarket/fear-greed",
        "/v1/marketplace/cryptodata/market%252Ffear-greed",
        "/v1/marketplace/cryptodata/market/%66ear-greed",
        "/v1/marketplace/cryptodata/./market/fear-greed",
        "/v1/marketplace/cryptodata/x/../market/fear-greed",
        "/v1/marketplace/cryptodata/%2e/market/fear-greed",
        "/v1/marketplace/cryptodata/x/%2e%2e/market/fear-greed",
        "/v1/marketplace/cryptodata/x/%2E./market/fear-greed",
        "/v1/marketplace/cryptodata/market/fear-greed;",
        "/v1/marketplace/cryptodata/market/fear-greed;jsessionid=1",
        "/v1/marketplace/cryptodata;a=b/market/fear-greed",
        "/v1/marketplace/cryptodata/market/fear-greed%3B",
        "/v1/marketplace/cryptodata/market/fear-greed%3Ba=b",
        "/v1/marketplace/cryptodata/..;/cryptodata/market/fear-greed",
        "//v1/marketplace/cryptodata/market/fear-greed",
        "/v1//marketplace/cryptodata/market/fear-greed",
        "/v1/marketplace/cryptodata//market/fear-greed",
        "/v1/marketplace/cryptodata/market//fear-greed",
        "/v1/marketplace/cryptodata/market/fear-greed/",
        "/v1/marketplace/cryptodata/market/fear-greed//",
        "/v1/marketplace/cryptodata/market/fear-greed/.",
        "/v1/marketplace/cryptodata/market/fear-greed/x/..",
        "/v1/marketplace/cryptodata/market\\fear-greed",
        "/v1/marketplace/cryptodata\\market\\fear-greed",
        "/v1/marketplace/cryptodata/market%5Cfear-greed",
        "/V1/marketplace/cryptodata/market/fear-greed",
        "/v1/Marketplace/CryptoData/market/fear-greed",
        "/v1/marketplace/cryptodata/market/Fear-Greed",
        "/v1/marketplace/cryptodata/market/fear-greed%00",
        "/v1/marketplace/cryptodata/market/fear-greed%20",
        "/v1/marketplace/cryptodata/market/fear-greed%0d%0aX-Injected:%201",
        "/v1/marketplace/cryptodata/market/fear-greed%0A",
        "/v1/marketplace/cryptodata/market%C0%AFfear-greed",
        "/v1/marketplace/cryptodata/%C0%AE/market/fear-greed",
        "/v1/marketplace/cryptodata/market/fear%E2%80%8B-greed",
        "/v1/marketplace/cryptodata/market/fear-greed%",
        "/v1/marketplace/cryptodata/market/fear-greed%2",
        "/v1/marketplace/cryptodata/market/fear-greed%zz",
        "/v1/marketplace/cryptodata/market/fear-greed%u002f",
        "/v1/marketplace/cryptodata/market/fear-greed?%",
        "/v1/marketplace/cryptodata/market/fear-greed?a=%C0%AF",
        "/v1/marketplace/cryptodata/market/fear-greed#fragment",
        "/v1/prediction/../marketplace/cryptodata/market/fear-greed",
        "/api/v1/../v1/marketplace/cryptodata/market/fear-greed",
        "/api/api/v1/marketplace/cryptodata/market/fear-greed",
        "/v1/marketplace/prediction/venue-a/trades/live%2F",
        "/v1/marketplace/prediction/venue-a/wallet/..%2fidentity",
        "/v1/marketplace/prediction/venue-a/market/%2e%2e",
        "http://127.0.0.1/v1/marketplace/cryptodata/market/fear-greed",
        "http://elsewhere.example/v1/marketplace/cryptodata/market/fear-greed",
        "https://elsewhere.example:443/v1/marketplace/cryptodata/./market/fear-greed",
        "v1/marketplace/cryptodata/market/fear-greed",
        "*"
      })
  @Tag("spec:decision.reencoded_paths")
  @Tag("spec:decision.prefix_api")
  void noSpellingOfAPaidPathIsServedUnpaid(String target) {
    String answer = raw(deployment().base(), target);
    assertThat(answer).as(target).startsWith("HTTP/1.1 ");
    int status = Integer.parseInt(answer.substring(9, 12));
    if (!isServersOwnFailure(answer)) {
      assertThat(status).as(target + ": " + answer).isBetween(300, 499);
    }
    assertThat(answer).as(target).doesNotContain("previous_close", "\nX-Injected");
  }

  /** The head and body of the answer to a GET of exactly this target. */
  private static String raw(URI base, String target) {
    String prefix = base.getRawPath().replaceAll("/$", "");
    String whole = target.startsWith("/") ? prefix + target : target;
    String request =
        "GET "
            + whole
            + " HTTP/1.1\r\nHost: "
            + base.getAuthority()
            + "\r\nConnection: close\r\n\r\n";
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(target + ": no clean answer", e);
    }
  }
}
