package dev.octroi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.settings.SettingsSources;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers state the length of what is sent, so that they leave in one write. */
class KnownLengthTest {

  private static final String READ = "/v1/marketplace/cryptodata/exchange/price?pair=BTC-USDT";

  @TempDir Path data;

  @Test
  void aChallengeSaysHowLongItIs() throws Exception {
    HttpResponse<byte[]> answer = answer(HttpRequest.newBuilder());

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(length(answer)).isEqualTo(answer.body().length);
  }

  @Test
  void theLengthOfACompressedAnswerIsThatOfWhatIsSent() throws Exception {
    HttpResponse<byte[]> answer =
        answer(HttpRequest.newBuilder().header("Accept-Encoding", "gzip"));

    assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(length(answer)).isEqualTo(answer.body().length);
    assertThat(plain(answer.body())).startsWith("{\"x402Version\":2").endsWith("}");
  }

  private HttpResponse<byte[]> answer(HttpRequest.Builder request) throws Exception {
    SettingsSources settings =
        SettingsSources.none()
            .values("test", Map.of("gateway.http.port", "0", "gateway.http.gzip-from", "1B"));
    try (ReferenceGateway gateway =
        ReferenceGateway.start(new ServeOptions(new DataDirectory(data), settings))) {
      return HttpClient.newHttpClient()
          .send(
              request.uri(gateway.baseUrl().resolve(READ)).build(),
              HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  private static long length(HttpResponse<?> answer) {
    return answer.headers().firstValueAsLong("Content-Length").orElse(-1);
  }

  private static String plain(byte[] gzip) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
