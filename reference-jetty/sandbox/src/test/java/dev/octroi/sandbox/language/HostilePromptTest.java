package dev.octroi.sandbox.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

/** What a caller may send to the model, and what it must not cost. */
class HostilePromptTest {

  @Test
  void aPictureOfEndlessPixelsIsNotDecoded() throws IOException {
    Asked.Picture picture = new Asked.Picture("image/png", endless(60_000), "");

    assertThat(picture.bytes()).hasSizeLessThan(1_000);
    assertThat(Pictures.described(picture)).endsWith("60000 by 60000)");
    assertThat(Pictures.tokens(picture)).isEqualTo(1_600);
  }

  @Test
  void whatIsNoPictureIsADocument() {
    byte[] bytes = "%PDF-1.7".getBytes(StandardCharsets.US_ASCII);
    assertThat(Pictures.described(new Asked.Picture("application/pdf", bytes, "")))
        .isEqualTo("a document (application/pdf, 8 bytes)");
  }

  @Test
  void aPromptOfLineBreaksTakesNoTime() {
    String text = "\n".repeat(2_000_000) + "x";
    String said =
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> new Wording().answer(asked(text)));

    assertThat(said).isEqualTo("This is a sandbox, whose model knows no answer to this: x");
  }

  @Test
  void listedSourcesAreCited() {
    assertThat(new Wording().answer(asked("Sources:\n[1] One. More.\n  [2]\tTwo.\n\n[3] Three.")))
        .isEqualTo("One [1]. Two [2]. Three [3].");
  }

  private static Asked asked(String text) {
    return new Asked(
        "m",
        text,
        List.of(text),
        1,
        List.of(),
        Asked.Choice.AUTO,
        true,
        List.of(),
        List.of(),
        false,
        List.of(),
        1_000,
        null,
        false,
        MissingNode.getInstance());
  }

  /** A PNG's head, and the little of its pixels that is enough to begin to decode it. */
  private static byte[] endless(int side) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    DataOutputStream fields = new DataOutputStream(head);
    fields.writeInt(side);
    fields.writeInt(side);
    fields.write(new byte[] {8, 6, 0, 0, 0});
    ByteArrayOutputStream pixels = new ByteArrayOutputStream();
    try (DeflaterOutputStream packed = new DeflaterOutputStream(pixels)) {
      packed.write(new byte[16]);
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
    chunk(file, "IHDR", head.toByteArray());
    chunk(file, "IDAT", pixels.toByteArray());
    chunk(file, "IEND", new byte[0]);
    return file.toByteArray();
  }

  private static void chunk(ByteArrayOutputStream file, String type, byte[] data)
      throws IOException {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 sum = new CRC32();
    sum.update(name);
    sum.update(data);
    DataOutputStream out = new DataOutputStream(file);
    out.writeInt(data.length);
    out.write(name);
    out.write(data);
    out.writeInt((int) sum.getValue());
  }
}
