package dev.octroi.payments.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyRingTest {

  private static final Runnable OVER_THE_LIMIT =
      () -> {
        throw new IllegalStateException("too many wrong ones");
      };

  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch answers = new CountDownLatch(1);
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final KeyRing ring =
      new KeyRing(
          secret -> {
            asked.incrementAndGet();
            try {
              answers.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return Optional.empty();
          },
          Clock.systemUTC());

  @AfterEach
  void end() {
    answers.countDown();
    callers.shutdownNow();
  }

  private static String secret(int number) {
    return "sk-" + String.valueOf((char) ('a' + number)).repeat(43);
  }

  @Test
  void guessesOverTheLimitTakeUpNoMoreOfTheDatabaseThanTheirShare() throws Exception {
    List<Future<Optional<ApiKey>>> guesses = new ArrayList<>();
    for (int guess = 0; guess < 4; guess++) {
      String secret = secret(guess);
      guesses.add(callers.submit(() -> ring.find(secret, () -> {})));
    }
    await().until(() -> asked.get() == 4);

    assertThatThrownBy(() -> ring.find(secret(4), OVER_THE_LIMIT)).hasMessageContaining("wrong");
    assertThat(asked).hasValue(4);
    AtomicInteger counted = new AtomicInteger();
    Future<Optional<ApiKey>> within =
        callers.submit(() -> ring.find(secret(5), counted::incrementAndGet));
    await().until(() -> asked.get() == 5);

    answers.countDown();
    assertThat(within.get()).isEmpty();
    assertThat(counted).as("a wrong one is counted once").hasValue(1);
    for (Future<Optional<ApiKey>> guess : guesses) {
      assertThat(guess.get()).isEmpty();
    }
    assertThatThrownBy(() -> ring.find(secret(6), OVER_THE_LIMIT)).hasMessageContaining("wrong");
    assertThat(asked).as("there is room again").hasValue(6);
  }

  @Test
  void aKeyThatIsRevokedWhileItIsLookedUpIsNotRemembered() {
    ApiKey good = key(Optional.empty());
    AtomicReference<ApiKey> row = new AtomicReference<>(good);
    AtomicReference<KeyRing> ringOfKey = new AtomicReference<>();
    KeyRing here =
        new KeyRing(
            secret -> {
              ApiKey read = row.get();
              row.set(key(Optional.of(Instant.now())));
              ringOfKey.get().forget(good.id());
              return Optional.of(read);
            },
            Clock.systemUTC());
    ringOfKey.set(here);

    assertThat(here.find(secret(0), () -> {})).as("it was good when it was read").isPresent();
    assertThat(here.find(secret(0), () -> {})).as("the revocation has ended").isEmpty();
  }

  private static ApiKey key(Optional<Instant> revoked) {
    return new ApiKey(
        new UUID(1, 1),
        new UUID(1, 2),
        "shop",
        "sk-aaaaaa",
        Set.of(),
        OptionalInt.empty(),
        ApiKey.KeyLimits.NONE,
        ApiKey.KeyLimits.NONE,
        Instant.EPOCH,
        Optional.empty(),
        revoked);
  }

  @Test
  void whatHasNotTheFormOfASecretIsNotLookedUp() {
    AtomicInteger counted = new AtomicInteger();

    assertThat(ring.find("sk-short", counted::incrementAndGet)).isEmpty();
    assertThat(counted).hasValue(1);
    assertThat(asked).hasValue(0);
  }
}
