package dev.octroi.api.asset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.octroi.api.asset.AssetResource.ByteRange;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {

  @ParameterizedTest
  @CsvSource({
    "bytes=0-9, 0, 10",
    "bytes= 5 - 9 , 5, 5",
    "bytes=90-, 90, 10",
    "bytes=-10, 90, 10",
    "bytes=90-1000, 90, 10"
  })
  void oneRangeIsUnderstood(String header, long from, long length) {
    assertThat(ByteRange.of(header, 100)).contains(new ByteRange(from, length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=", "bytes=-", "bytes=9-1", "bytes=0-1,3-4", "lines=1-2", ""})
  void anythingElseIsTheWhole(String header) {
    assertThat(ByteRange.of(header, 100)).isEmpty();
  }

  @Test
  void aHeaderOfBlanksTakesNoTime() {
    String blanks = " ".repeat(400_000);
    Optional<ByteRange> range =
        assertTimeoutPreemptively(
            Duration.ofSeconds(30), () -> ByteRange.of("bytes=" + blanks + "x", 100));
    assertThat(range).isEmpty();
  }
}
