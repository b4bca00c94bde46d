package dev.octroi.api.asset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.api.asset.Assets.Asset;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What every store of files promises. */
abstract class AssetStoreContract {

  static final Instant NOW = Instant.parse("2026-02-03T04:05:06Z");

  private static final Duration LIFE = Duration.ofHours(48);
  private static final String ID = "00112233445566778899aabbccddeeff";
  private static final String OTHER = "ffeeddccbbaa99887766554433221100";

  /** The store, empty at the beginning of a test. */
  abstract AssetStore store() throws IOException;

  @Test
  void whatIsKeptIsFoundWithEverythingThatIsKnownAboutIt() throws IOException {
    byte[] bytes = noise(100);
    Asset asset = kept(ID, bytes);

    assertThat(store().find(ID)).contains(asset);
    assertThat(read(asset, 0)).isEqualTo(bytes);
  }

  @Test
  void aLongFileComesBackWholeAndFromAnywhere() throws IOException {
    byte[] bytes = noise(3 * DatabaseAssets.PIECE + 17);
    Asset asset = kept(ID, bytes);

    assertThat(read(asset, 0)).isEqualTo(bytes);
    for (int from : new int[] {1, DatabaseAssets.PIECE, 2 * DatabaseAssets.PIECE - 1}) {
      byte[] rest = Arrays.copyOfRange(bytes, from, bytes.length);
      assertThat(read(asset, from)).isEqualTo(rest);
    }
    assertThat(read(asset, bytes.length - 1)).hasSize(1);
  }

  @Test
  void aFileThatEndsExactlyWithAPieceComesBackWhole() throws IOException {
    byte[] bytes = noise(2 * DatabaseAssets.PIECE);

    assertThat(read(kept(ID, bytes), 0)).isEqualTo(bytes);
  }

  @Test
  void noReaderFindsAnUnknownFile() throws IOException {
    kept(ID, noise(10));

    assertThat(store().find(OTHER)).isEmpty();
  }

  @Test
  void aFileWhoseContentBreaksOffIsNeverFound() {
    Asset asset = asset(ID, 2 * DatabaseAssets.PIECE);

    assertThatThrownBy(() -> store().keep(asset, breakingOff(asset.length(), new byte[10])))
        .isInstanceOf(IOException.class);
    assertThat(found(ID)).isFalse();
  }

  @Test
  void noReaderFindsAFileBeforeAllOfItIsThere() throws IOException {
    byte[] bytes = noise(2 * DatabaseAssets.PIECE);
    Asset asset = asset(ID, bytes.length);
    store()
        .keep(
            asset,
            watched(
                bytes,
                () -> assertThat(found(ID)).as("found while it is being written").isFalse()));

    assertThat(found(ID)).isTrue();
  }

  @Test
  void whatHasExpiredIsDeletedAndNothingElse() throws IOException {
    Asset old = kept(ID, noise(DatabaseAssets.PIECE + 1));
    Asset young =
        new Asset(OTHER, AssetType.WAV, 10, NOW.plusSeconds(1), NOW.plusSeconds(1).plus(LIFE));
    store().keep(young, AssetContent.of(noise(10)));

    assertThat(store().expire(NOW)).isZero();
    assertThat(store().expire(old.expires())).isEqualTo(1);

    assertThat(store().find(ID)).isEmpty();
    assertThat(store().find(OTHER)).contains(young);
    assertThatThrownBy(() -> new Part(store().open(old, 0), old.length()).readAllBytes())
        .isInstanceOf(IOException.class);
  }

  @Test
  void whatWasNeverCompletedIsDeletedAfterAWhile() throws IOException {
    Asset asset = asset(ID, 100);
    assertThatThrownBy(() -> store().keep(asset, breakingOff(100, new byte[10])))
        .isInstanceOf(IOException.class);

    store().expire(Instant.now().plus(Duration.ofHours(2)));
    store().keep(asset, AssetContent.of(noise(100)));

    assertThat(store().find(ID)).contains(asset);
  }

  Asset kept(String id, byte[] bytes) throws IOException {
    Asset asset = asset(id, bytes.length);
    store().keep(asset, AssetContent.of(bytes));
    return asset;
  }

  private static Asset asset(String id, long length) {
    return new Asset(id, AssetType.PNG, length, NOW, NOW.plus(LIFE));
  }

  private boolean found(String id) {
    try {
      return store().find(id).isPresent();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] read(Asset asset, long from) throws IOException {
    try (InputStream in = store().open(asset, from)) {
      return in.readAllBytes();
    }
  }

  private static byte[] noise(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static AssetContent breakingOff(long length, byte[] there) {
    return content(length, () -> new ByteArrayInputStream(there));
  }

  private static AssetContent watched(byte[] bytes, Runnable whileReading) {
    return content(
        bytes.length,
        () ->
            new ByteArrayInputStream(bytes) {
              @Override
              public synchronized int read(byte[] buffer, int offset, int length) {
                whileReading.run();
                return super.read(buffer, offset, length);
              }
            });
  }

  private static AssetContent content(long length, Supplier<InputStream> opened) {
    return new AssetContent() {
      @Override
      public long length() {
        return length;
      }

      @Override
      public InputStream open() {
        return opened.get();
      }
    };
  }
}
