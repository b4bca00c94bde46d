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
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

  /** A run looks through ten pages, of two files here. */
  @Test
  void noFileIsForgottenBehindThoseThatLive() throws IOException {
    Instant late = NOW.plus(Duration.ofHours(1));
    for (int number = 0; number < 30; number++) {
      Asset live =
          new Asset("%032d".formatted(number), AssetType.PNG, 1, late, late.plusSeconds(172_800));
      store.keep(live, AssetContent.of(new byte[1]));
    }
    Asset old = kept("f".repeat(32), new byte[1]);

    assertThat(store.expire(old.expires()) + store.expire(old.expires())).isEqualTo(1);
    assertThat(store.find(old.id())).isEmpty();
    assertThat(server.keys()).hasSize(30);
  }

  @Test
  void whatTheOperatorKeepsInTheBucketStays() throws IOException {
    S3Bucket own = server.bucket();
    S3Bucket bare =
        new S3Bucket(
            own.endpoint(), own.region(), own.name(), "", own.accessKey(), own.secretKey());
    Set<String> keys = Set.of("a report of 2020.csv", "files/a b", "z".repeat(32));
    keys.forEach(server::keep);

    assertThat(new S3Assets(bare, Duration.ofHours(48)).expire(NOW)).isZero();
    assertThat(store.expire(NOW)).isZero();
    assertThat(server.keys()).isEqualTo(keys);
  }

  /** As the vendor asks of its clients: 500 and 503 are to be repeated. */
  @ParameterizedTest
  @ValueSource(ints = {500, 503, BucketServer.HANG_UP})
  void aStoreThatIsBusyForAMomentIsAskedAgain(int status) throws IOException {
    server.refuse("PUT", status, status);
    server.refuse("HEAD", status);
    server.refuse("GET", status);
    byte[] bytes = {1, 2, 3};
    Asset asset = kept("0".repeat(32), bytes);

    assertThat(store.find(asset.id())).contains(asset);
    try (InputStream file = store.open(asset, 0)) {
      assertThat(file.readAllBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void aStoreThatStaysBusyIsAnError() {
    server.refuse("PUT", 503, 503, 503);

    assertThatThrownBy(() -> kept("0".repeat(32), new byte[1])).isInstanceOf(IOException.class);
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
