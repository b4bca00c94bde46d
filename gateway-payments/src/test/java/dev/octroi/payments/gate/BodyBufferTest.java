package dev.octroi.payments.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyBufferTest {

  private static final int LIMIT = 200_000;
  private static final long BUDGET = 100_000;
  private static final long DISK = 250_000;

  @TempDir private Path directory;

  private final ByteBudget budget = new ByteBudget(BUDGET);
  private final ByteBudget disk = new ByteBudget(DISK);

  @ParameterizedTest
  @ValueSource(ints = {1, 65_535, 65_536, 65_537, LIMIT})
  void aBodyCanBeReadAgainAndLeavesNothingBehind(int length) throws IOException {
    byte[] body = body(length);

    try (BufferedBody buffered = read(body)) {
      assertThat(buffered.hash()).isEqualTo(Sha256.hex(body));
      assertThat(buffered.bytes()).isEqualTo(body);
      assertThat(buffered.stream().readAllBytes()).isEqualTo(body);
    }

    assertThat(files()).isEmpty();
    assertThat(budget.left()).isEqualTo(BUDGET);
  }

  @Test
  @Tag("spec:money.byte_budget")
  void onlyAShortBodyStaysInMemory() throws IOException {
    try (BufferedBody inMemory = read(body(50_000))) {
      assertThat(disk.left()).isEqualTo(DISK);
      assertThat(inMemory.bytes()).hasSize(50_000);
      assertThat(budget.left()).isEqualTo(BUDGET - 50_000);
    }
    try (BufferedBody onDisk = read(body(70_000))) {
      assertThat(disk.left()).isEqualTo(DISK - 70_000);
      assertThat(onDisk.bytes()).hasSize(70_000);
      assertThat(budget.left()).isEqualTo(BUDGET);
    }
  }

  @Test
  void aBodyOverTheLimitIsRefusedWhetherItSaysSoOrNot() throws IOException {
    byte[] body = body(LIMIT + 1);

    assertStatus(body, body.length, 413);
    assertStatus(body, -1, 413);
    assertThat(files()).isEmpty();
    assertThat(budget.left()).isEqualTo(BUDGET);
  }

  @Test
  @Tag("spec:money.byte_budget")
  void aBodyForWhichThereIsNoMemoryLiesOnDisk() throws IOException {
    try (BufferedBody first = read(body(60_000));
        BufferedBody second = read(body(60_000))) {
      assertThat(first.bytes()).hasSize(60_000);
      assertThat(second.bytes()).isEqualTo(body(60_000));
      assertThat(disk.left()).isEqualTo(DISK - 60_000);
    }

    assertThat(files()).isEmpty();
    assertThat(budget.left()).isEqualTo(BUDGET);
    assertThat(disk.left()).isEqualTo(DISK);
  }

  @Test
  void aBodyForWhichThereIsNoRoomOnDiskIsRefused() throws IOException {
    try (BufferedBody first = read(body(LIMIT))) {
      assertThat(first.hash()).isNotEmpty();
      assertStatus(body(70_000), 70_000, 503);
    }

    assertThat(read(body(70_000)).bytes()).hasSize(70_000);
  }

  /** However long it says that it will be. */
  @Test
  void aBodyTakesNoMoreMemoryThanHasComeOfIt() throws IOException {
    try (ArrivingBody body = buffer().arriving()) {
      assertThat(budget.left()).isEqualTo(BUDGET);
      body.add(ByteBuffer.wrap(body(1)));
      assertThat(budget.left()).isGreaterThanOrEqualTo(BUDGET - 1024);
      body.add(ByteBuffer.wrap(body(3_000)));
      assertThat(budget.left()).isGreaterThanOrEqualTo(BUDGET - 4096);
    }
    assertThat(budget.left()).isEqualTo(BUDGET);
  }

  /** A process that is killed can delete nothing. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void theFileOfALongBodyHasNoName() throws IOException {
    try (BufferedBody onDisk = read(body(70_000))) {
      assertThat(files()).isEmpty();
      assertThat(onDisk.stream().readAllBytes()).hasSize(70_000);
    }
  }

  @Test
  void aLongBodyForWhichThereIsNoFolderIsRefusedAndAShortOneIsNot() throws IOException {
    Files.delete(directory);
    try (BufferedBody inMemory = read(body(50_000))) {
      assertThat(inMemory.bytes()).hasSize(50_000);
    }

    assertStatus(body(70_000), -1, 503);
    assertThat(budget.left()).isEqualTo(BUDGET);
  }

  private void assertStatus(byte[] body, int declared, int status) {
    InputStream in = new ByteArrayInputStream(body);
    assertThatThrownBy(() -> buffer().read(in, declared))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.response().getStatus()).isEqualTo(status));
  }

  private BufferedBody read(byte[] body) throws IOException {
    return buffer().read(new ByteArrayInputStream(body), -1);
  }

  private BodyBuffer buffer() {
    return new BodyBuffer(LIMIT, budget, disk, directory, BodyPace.DEFAULT, new Semaphore(1));
  }

  private Stream<Path> files() throws IOException {
    return Files.list(directory);
  }

  private static byte[] body(int length) {
    byte[] body = new byte[length];
    Arrays.fill(body, (byte) 'x');
    return body;
  }
}
