package dev.octroi.api.asset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.LoopbackServer;
import dev.octroi.api.asset.Assets.Asset;
import dev.octroi.api.asset.S3Assets.S3Bucket;
import dev.octroi.api.asset.S3Assets.S3Calls;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.http.SdkHttpMethod;

class S3AssetsTest extends AssetStoreContract {

  private BucketServer server;
  private S3Assets store;

  @BeforeEach
  void open() {
    server = new BucketServer();
    store = new S3Assets(server.bucket(), Duration.ofHours(48));
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Override
  AssetStore store() {
    return store;
  }

  @Test
  void everyPageOfABucketIsLookedThrough() throws IOException {
    Asset last = null;
    for (int number = 0; number < 5; number++) {
      last = kept(String.valueOf(number).repeat(32), new byte[] {1});
    }

    assertThat(store.expire(last.expires().minusSeconds(1))).isZero();
    assertThat(store.expire(last.expires())).isEqualTo(5);
    assertThat(store.find(last.id())).isEmpty();
  }

  @Test
  void aStoreThatRefusesIsAnErrorAndNothingThatIsMissing() {
    S3Bucket other = server.bucket();
    S3Bucket wrong =
        new S3Bucket(other.endpoint(), "elsewhere", "bucket", "files/", "AKIA", "secret");

    assertThatThrownBy(() -> new S3Assets(wrong, Duration.ofHours(48)).find("0".repeat(32)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("403");
  }

  @Test
  @Timeout(60)
  void aStoreThatFallsSilentInAFileIsAnError() throws IOException {
    try (LoopbackServer silent =
        new LoopbackServer(
            exchange -> {
              exchange.sendResponseHeaders(200, 2);
              exchange.getResponseBody().write('1');
              exchange.getResponseBody().flush();
            })) {
      S3Bucket bucket = new S3Bucket(silent.base(), "here", "bucket", "", "AKIA", "secret");
      S3Calls calls = new S3Calls(bucket, Duration.ofSeconds(1));

      try (InputStream file =
          calls.send(SdkHttpMethod.GET, bucket.object("0"), Map.of(), Optional.empty()).body()) {
        assertThat(file.read()).isEqualTo('1');
        assertThatThrownBy(file::read).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void theKeysAreNotTold() {
    assertThat(server.bucket().toString()).doesNotContain("secret").doesNotContain("AKIA");
  }
}
