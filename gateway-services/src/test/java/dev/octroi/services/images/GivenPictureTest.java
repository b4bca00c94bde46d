package dev.octroi.services.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Failure;
import dev.octroi.services.images.ImageCatalogue.ImageSizes.ImageSize;
import dev.octroi.services.images.Images.ImageEdit;
import dev.octroi.services.images.Images.ImageOrder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GivenPictureTest {

  private static final byte[] SIGN = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private static byte[] chunk(String type, byte[] data) {
    byte[] body =
        ByteBuffer.allocate(4 + data.length)
            .put(type.getBytes(StandardCharsets.US_ASCII))
            .put(data)
            .array();
    CRC32 crc = new CRC32();
    crc.update(body);
    return ByteBuffer.allocate(body.length + 8)
        .putInt(data.length)
        .put(body)
        .putInt((int) crc.getValue())
        .array();
  }

  private static byte[] head(int width, int height) {
    return chunk(
        "IHDR",
        ByteBuffer.allocate(13)
            .putInt(width)
            .putInt(height)
            .put(new byte[] {1, 0, 0, 0, 0})
            .array());
  }

  private static byte[] deflated(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
      deflater.write(plain);
    }
    return out.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List.of(parts).forEach(out::writeBytes);
    return out.toByteArray();
  }

  private static void refused(byte[] bytes, String why) {
    assertThatThrownBy(() -> GivenPicture.read("image", bytes))
        .isInstanceOf(Failure.class)
        .hasMessageContaining(why);
  }

  @Test
  void aPictureIsDecodedAndKnowsWhetherItCanBeTransparent() {
    GivenPicture opaque = GivenPicture.read("image", Pictures.png(40, 30, false));
    assertThat(opaque.size()).isEqualTo(new ImageSize(40, 30));
    assertThat(opaque.alpha()).isFalse();
    assertThat(GivenPicture.read("image", Pictures.png(40, 30, true)).alpha()).isTrue();
  }

  @Test
  @Tag("spec:limit.image_edit_input")
  void whatIsNoPngIsTold() {
    refused(Pictures.jpeg(8, 8), "is a jpeg and not a PNG");
    refused("GIF89a".getBytes(StandardCharsets.US_ASCII), "is not a PNG");
    refused(new byte[0], "is not a PNG");
  }

  @Test
  void aPictureThatBreaksOffIsDamaged() {
    byte[] whole = Pictures.png(300, 300, true);
    refused(Arrays.copyOf(whole, whole.length / 2), "damaged");
    refused(SIGN, "damaged");
  }

  @Test
  @Tag("spec:limit.image_edit_input")
  void aPictureOfMoreThanFourMegabytesIsRefused() {
    byte[] large = Arrays.copyOf(Pictures.png(8, 8, false), GivenPicture.MAX_BYTES + 1);
    refused(large, "larger than 4 MB");
  }

  @Test
  void aPictureOfEndlessPixelsIsRefusedBeforeItIsDecoded() throws IOException {
    byte[] bomb =
        joined(
            SIGN,
            head(60_000, 60_000),
            chunk("IDAT", deflated(new byte[1 << 20])),
            chunk("IEND", new byte[0]));
    refused(bomb, "pixels");
    refused(joined(SIGN, head(8_193, 1), chunk("IEND", new byte[0])), "pixels");
  }

  /** A hundred megabytes of nothing in a text that the gateway does not need are never inflated. */
  @Test
  void compressedTextsInAPictureAreNotRead() throws IOException {
    byte[] nothing = deflated(new byte[100 << 20]);
    byte[] text = joined("note\0\0".getBytes(StandardCharsets.ISO_8859_1), nothing);
    byte[] picture =
        joined(
            SIGN,
            head(8, 1),
            chunk("zTXt", text),
            chunk("iCCP", text),
            chunk("IDAT", deflated(new byte[2])),
            chunk("IEND", new byte[0]));
    assertThat(GivenPicture.read("image", picture).size()).isEqualTo(new ImageSize(8, 1));
  }

  @Test
  void aMaskFitsItsPictureAndCanBeTransparent() {
    GivenPicture picture = GivenPicture.read("image", Pictures.png(20, 20, false));
    ImageOrder order =
        new ImageRequests(
                ImageCatalogueFile.standard(),
                ImageCatalogueFile.standard().upstreams(),
                Clock.systemUTC())
            .order(ImageBody.ofJson("{\"prompt\":\"p\"}".getBytes(StandardCharsets.UTF_8)), true);
    assertThat(
            new ImageEdit(
                    order,
                    List.of(picture),
                    Optional.of(GivenPicture.read("mask", Pictures.png(20, 20, true))))
                .mask())
        .isPresent();
    assertThatThrownBy(
            () ->
                new ImageEdit(
                    order,
                    List.of(picture),
                    Optional.of(GivenPicture.read("mask", Pictures.png(20, 21, true)))))
        .hasMessageContaining("20x21");
    assertThatThrownBy(() -> new ImageEdit(order, List.of(picture), Optional.of(picture)))
        .hasMessageContaining("transparency");
    assertThatThrownBy(() -> new ImageEdit(order, List.of(), Optional.empty()))
        .hasMessageContaining("image is missing");
  }
}
