package dev.octroi.payments.body;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.HttpAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The memory that working with request bodies may take, all of them together, and what keeping the
 * answers of paid calls takes. A body's share is what its {@link BodyWeight} says. Thread-safe.
 */
public final class BodyMemory {

  /** The answer, with its head, sealed, and on its way to the database. */
  private static final int ANSWER_COPIES = 4;

  private final ByteBudget budget;

  /** So many bytes. */
  public BodyMemory(long bytes) {
    this.budget = new ByteBudget(bytes);
  }

  /** One part of the heap in so many. */
  public static BodyMemory ofHeap(int parts) {
    return new BodyMemory(Runtime.getRuntime().maxMemory() / parts);
  }

  /**
   * Reads a body and works with it, for methods that no payment is asked for: the gate does the
   * same for the others.
   *
   * @param in the whole body; its length is limited already
   * @throws CallRefused 503 where there is no memory for it now, 413 where there never is
   */
  public <T> T read(InputStream in, Function<byte[], T> work) throws IOException {
    return read(in, (body, taken) -> work.apply(body));
  }

  /**
   * The same for work that may go on once the method has returned.
   *
   * @param work is told how much is taken for it, and sets that to 0 where it gives it back itself
   */
  public <T> T read(InputStream in, BiFunction<byte[], AtomicLong, T> work) throws IOException {
    BodyWeight weight = new BodyWeight();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] chunk = new byte[BodyBuffer.CHUNK];
    AtomicLong taken = new AtomicLong();
    try {
      for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
        weight.add(chunk, read);
        taken.set(more(weight, taken.get()));
        body.write(chunk, 0, read);
      }
      return work.apply(body.toByteArray(), taken);
    } finally {
      give(taken.get());
    }
  }

  /** Takes what a body needs; throws {@link CallRefused}. */
  public long take(BodyWeight weight) {
    return more(weight, 0);
  }

  /**
   * Takes what it needs to keep an answer; throws {@link CallRefused}.
   *
   * @param bytes how long the answer is
   * @param taken what its call has taken so far, and needs no more for its request
   * @return what its call has taken now
   */
  public long takeForAnswer(long bytes, long taken) {
    // The longest answers are kept alone, where they would fill the memory.
    long needed = Math.max(Math.min(ANSWER_COPIES * bytes, budget.whole()), taken);
    if (needed > taken && !budget.take(needed - taken)) {
      throw new CallRefused(HttpAnswer.busy("The server is short of memory for answers."));
    }
    return needed;
  }

  public void give(long taken) {
    budget.giveBack(taken);
  }

  public long left() {
    return budget.left();
  }

  public long whole() {
    return budget.whole();
  }

  private long more(BodyWeight weight, long taken) {
    if (weight.tree() > budget.whole() / 2) {
      throw new CallRefused(HttpAnswer.error(413, "The request body holds too many values."));
    }
    // The longest bodies are worked with alone, where they would fill the memory.
    long needed = Math.min(weight.copies() + weight.tree(), budget.whole());
    if (needed > taken && !budget.take(needed - taken)) {
      throw new CallRefused(HttpAnswer.busy("The server is short of memory for request bodies."));
    }
    return needed;
  }

  /**
   * How many bytes request bodies, or what is made of them, may take in memory at once.
   * Thread-safe.
   *
   * <p>Every call may bring a body of the full limit, so without a common bound a few hundred calls
   * would fill the heap (money, in JAX-RS).
   */
  public static final class ByteBudget {

    private final long whole;
    private final AtomicLong left;

    public ByteBudget(long bytes) {
      this.whole = bytes;
      this.left = new AtomicLong(bytes);
    }

    /** What there is where nothing is taken. */
    long whole() {
      return whole;
    }

    /** Takes that many bytes, or none. */
    public boolean take(long bytes) {
      long before = left.getAndUpdate(free -> free >= bytes ? free - bytes : free);
      return before >= bytes;
    }

    public void giveBack(long bytes) {
      left.addAndGet(bytes);
    }

    long left() {
      return left.get();
    }
  }

  /**
   * What it takes in memory to work with a body, found out while the body is read: the bytes, their
   * texts, what is sent on, and a node for each value of JSON, which may be twenty times as large
   * as its text. For one body.
   *
   * <p>Measured: a call of a language model holds a body's bytes, the text that they hold, the
   * parser's copy of it at two bytes a character, and the request that is made of it. {@code {}} in
   * an array is a node with a map of its own; each stands behind a comma, colon, bracket or brace.
   */
  public static final class BodyWeight {

    private static final int COPIES = 6;
    private static final int NODE_BYTES = 48;

    private long bytes;
    private long nodes;

    /** Looks at so many more bytes of it. */
    void add(byte[] chunk, int length) {
      bytes += length;
      for (int i = 0; i < length; i++) {
        byte one = chunk[i];
        if (one == ',' || one == ':' || one == '{' || one == '[') {
          nodes++;
        }
      }
    }

    /** What its bytes take, however often they are copied. */
    long copies() {
      return COPIES * bytes;
    }

    /** What its values take as a tree. */
    long tree() {
      return NODE_BYTES * nodes;
    }
  }
}
