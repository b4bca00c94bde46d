package dev.octroi.services.language.tokens;

import dev.octroi.services.HostThreads;
import dev.octroi.services.language.catalogue.Model.Tokenizer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the vocabularies of a counter beside the calls, so that the first of them does not wait
 * inside what it pays for. Thread-safe.
 */
public final class Vocabularies implements AutoCloseable {

  private final Consumer<Tokenizer> vocabulary;
  private final HostThreads threads;
  private @Nullable ExecutorService reader;
  private boolean closed;

  /**
   * @param vocabulary reads that of one tokenizer, such as {@link TokenCounter#prepare}
   */
  public Vocabularies(Consumer<Tokenizer> vocabulary, HostThreads threads) {
    this.vocabulary = vocabulary;
    this.threads = threads;
  }

  /**
   * Begins to read; returns at once. A call that comes before the end waits for what it needs, as
   * it would without. Once is enough: what is asked for later is read by the calls.
   */
  public synchronized void read(Set<Tokenizer> tokenizers) {
    List<Tokenizer> files =
        tokenizers.stream().filter(tokenizer -> tokenizer != Tokenizer.BYTES).sorted().toList();
    if (closed || reader != null || files.isEmpty()) {
      return;
    }
    reader = threads.pool("language-vocabularies");
    reader.execute(() -> readAll(files));
    reader.shutdown();
  }

  private void readAll(List<Tokenizer> files) {
    for (Tokenizer file : files) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      vocabulary.accept(file);
    }
  }

  /** Begins no further vocabulary; one that is being read, seconds at most, is not waited for. */
  @Override
  public synchronized void close() {
    closed = true;
    if (reader != null) {
      reader.shutdownNow();
    }
  }
}
