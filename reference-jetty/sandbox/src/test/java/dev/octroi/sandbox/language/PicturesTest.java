package dev.octroi.sandbox.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class PicturesTest {

  /** Ninety thousand by ninety thousand: eight gigabytes, were it decoded. */
  @Test
  void thePixelsOfAPictureAreNotLookedAt() {
    Asked.Picture huge = new Asked.Picture("image/png", head(90_000), "");

    assertThat(Pictures.described(huge)).contains("90000 by 90000");
    assertThat(Pictures.tokens(huge)).isEqualTo(1_600);
  }

  @Test
  void whatIsNoPictureHasNoSize() {
    Asked.Picture none = new Asked.Picture("image/png", new byte[] {1, 2, 3}, "");

    assertThat(Pictures.described(none)).doesNotContain(" by ");
  }

  private static byte[] head(int side) {
    ByteBuffer png = ByteBuffer.allocate(33);
    png.putLong(0x89504E470D0A1A0AL).putInt(13).putInt(0x49484452).putInt(side).putInt(side);
    png.put(new byte[] {8, 0, 0, 0, 0});
    CRC32 sum = new CRC32();
    sum.update(png.array(), 12, 17);
    return png.putInt((int) sum.getValue()).array();
  }
}
