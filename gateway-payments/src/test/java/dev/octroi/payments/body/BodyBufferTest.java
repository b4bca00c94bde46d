package dev.octroi.payments.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Sha256;
import dev.octroi.payments.body.BodyBuffer.BufferedBody;
import dev.octroi.payments.body.BodyMemory.ByteBudget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
  private final BodyMemory working = new BodyMemory(10 * BUDGET);

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

  @Test
  @Tag("spec:money.byte_budget")
  void whatIsMadeOfBodiesIsBoundedAllTogether() throws IOException {
    try (BufferedBody body = read(body(100_000))) {
      long taken = working.take(body.weight());
      assertThat(taken).isEqualTo(600_000);
      assertRefused(() -> working.take(body.weight()), 503);
      working.give(taken);
      assertThat(working.take(body.weight())).isEqualTo(taken);
    }
  }

  @Test
  void aBodyThatTakesMoreThanThereIsIsWorkedWithAlone() throws IOException {
    try (BufferedBody body = read(body(LIMIT))) {
      assertThat(working.take(body.weight())).isEqualTo(working.whole());
      assertThat(working.left()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{},", "1.5,", "[],", "\"a\":1,"})
  void aBodyOfSmallValuesCountsByItsTreeAndNotByItsLength(String value) throws IOException {
    byte[] body = value.repeat(60_000 / value.length()).getBytes(UTF_8);
    try (BufferedBody read = read(body)) {
      assertThat(read.weight().tree()).isGreaterThan(10 * 60_000);
      assertRefused(() -> working.take(read.weight()), 413);
    }
    assertThat(working.left()).isEqualTo(working.whole());
  }

  @Test
  void aFreeMethodReadsItsBodyWithinTheSameBounds() throws IOException {
    byte[] body = body(100_000);
    int length =
        working.read(
            new ByteArrayInputStream(body),
            bytes -> {
              assertThat(working.left()).isEqualTo(working.whole() - 600_000);
              return bytes.length;
            });

    assertThat(length).isEqualTo(100_000);
    assertThat(working.left()).isEqualTo(working.whole());
    long others = working.take(read(body).weight());
    assertThatThrownBy(() -> working.read(new ByteArrayInputStream(body), bytes -> bytes))
        .isInstanceOfSatisfying(
            CallRefused.class, refused -> assertThat(refused.answer().status()).isEqualTo(503));
    working.give(others);
    assertThat(working.left()).isEqualTo(working.whole());
  }

  private static void assertRefused(ThrowingCallable call, int status) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CallRefused.class, refused -> assertThat(refused.answer().status()).isEqualTo(status));
  }

  private void assertStatus(byte[] body, int declared, int status) {
    InputStream in = new ByteArrayInputStream(body);
    assertRefused(() -> buffer().read(in, declared), status);
  }

  private BufferedBody read(byte[] body) throws IOException {
    return buffer().read(new ByteArrayInputStream(body), -1);
  }

  private BodyBuffer buffer() {
    return new BodyBuffer(
        LIMIT, budget, disk, working, directory, BodyPace.DEFAULT, new Semaphore(1));
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
