package dev.octroi.services.language.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.tokens.TokenCounter.Picture;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.imageio.ImageIO;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PictureTest {

  @ParameterizedTest
  @ValueSource(strings = {"png", "gif", "jpg"})
  void theSizeStandsInTheFirstBytes(String form) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(321, 123, BufferedImage.TYPE_INT_RGB), form, file);
    byte[] head = Arrays.copyOf(file.toByteArray(), 1_000);

    assertThat(Picture.of(head, true)).isEqualTo(new Picture(321, 123, true));
  }

  /** The three forms of WebP: lossy, lossless, extended; all of 320 by 200. */
  @ParameterizedTest
  @CsvSource({
    "52494646000000005745425056503820000000000000009d012a4001c800",
    "5249464600000000574542505650384c000000002f3fc1310000000000000000",
    "52494646000000005745425056503858000000000000000 03f0100c70000"
  })
  void aWebPictureHasThreeForms(String hex) {
    byte[] head = HexFormat.of().parseHex(hex.replace(" ", ""));

    assertThat(Picture.of(head, false)).isEqualTo(new Picture(320, 200, false));
  }

  @Property
  void whateverIsSentIsNoMoreThanNotKnown(@ForAll byte[] head) {
    Picture picture = Picture.of(head, false);

    assertThat(picture.atMost()).isBetween(300L, 5_000L);
  }

  @Test
  void aBrokenPictureIsNotKnown() {
    byte[] endless = HexFormat.of().parseHex("ffd8ffe00000ffff".repeat(20));

    assertThat(Picture.of(endless, false)).isEqualTo(Picture.UNKNOWN);
    assertThat(Picture.of(new byte[0], false)).isEqualTo(Picture.UNKNOWN);
  }
}
