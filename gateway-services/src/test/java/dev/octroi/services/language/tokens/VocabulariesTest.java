package dev.octroi.services.language.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.octroi.services.HostThreads;
import dev.octroi.services.language.catalogue.Model.Tokenizer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class VocabulariesTest {

  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final TokenCounter counter = new TokenCounter();
  private final Set<Tokenizer> prepared = ConcurrentHashMap.newKeySet();

  private void prepare(Tokenizer tokenizer) {
    counter.prepare(tokenizer);
    prepared.add(tokenizer);
  }

  private static Optional<Thread> reader() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("language-vocabularies"))
        .findAny();
  }

  @Test
  @Tag("spec:language.tokens")
  void aVocabularyIsReadBeforeACallNeedsIt() {
    try (Vocabularies vocabularies = new Vocabularies(this::prepare, HostThreads.OF_THE_JVM)) {
      vocabularies.read(Set.of(Tokenizer.CL100K));
      reader().ifPresent(thread -> assertThat(thread.isDaemon()).isTrue());
      await().atMost(LONGEST).until(() -> prepared.contains(Tokenizer.CL100K));
      assertThat(prepared).doesNotContain(Tokenizer.O200K);
    }
    await().atMost(LONGEST).until(() -> reader().isEmpty());
  }

  @Test
  void nothingIsReadForModelsWhoseVocabularyIsNotPublic() {
    try (Vocabularies vocabularies = new Vocabularies(this::prepare, HostThreads.OF_THE_JVM)) {
      vocabularies.read(Set.of(Tokenizer.BYTES));
      vocabularies.read(Set.of());
      assertThat(reader()).isEmpty();
    }
  }

  @Test
  void closingEndsTheReadingAndNothingIsReadAfterwards() {
    Vocabularies vocabularies = new Vocabularies(this::prepare, HostThreads.OF_THE_JVM);
    vocabularies.read(EnumSet.of(Tokenizer.CL100K, Tokenizer.O200K));
    vocabularies.close();
    await().atMost(LONGEST).until(() -> reader().isEmpty());
    assertThat(prepared).hasSizeLessThan(2);
    vocabularies.read(Set.of(Tokenizer.CL100K));
    assertThat(reader()).isEmpty();
  }
}
