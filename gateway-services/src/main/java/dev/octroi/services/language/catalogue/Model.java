package dev.octroi.services.language.catalogue;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Prompt.Effort;
import dev.octroi.services.language.Target;
import dev.octroi.services.language.Target.Quirk;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One language model as it is sold.
 *
 * @param id its public name, such as {@code some-model-4.8}
 * @param vendor the prefix under which it is known too, as in {@code vendor/some-model-4.8}
 * @param aliases other names, each with and without the prefix
 * @param source where it runs
 * @param contextWindow tokens that it can hold, input and output together
 * @param maxOutput tokens that it can write in one answer
 * @param input what it takes; always text
 * @param abilities what it can do
 * @param rates what it costs; null where that is not known, and then it cannot be called
 * @param tokenizer how its tokens are counted
 * @param released since when it exists
 * @param retired from when on it is refused; null for one that stays
 * @param successor the id of the model to call instead once it is retired; null if none is named
 * @param fallbacks ids of the models that take its place when it fails, in this order
 * @param tiers what it may be chosen for
 */
public record Model(
    String id,
    String vendor,
    List<String> aliases,
    ModelSource source,
    int contextWindow,
    int maxOutput,
    Set<Modality> input,
    Set<Ability> abilities,
    @Nullable Rates rates,
    Tokenizer tokenizer,
    LocalDate released,
    @Nullable LocalDate retired,
    @Nullable String successor,
    List<String> fallbacks,
    Set<Tier> tiers) {

  public Model {
    aliases = List.copyOf(aliases);
    input = Set.copyOf(input);
    abilities = Set.copyOf(abilities);
    fallbacks = List.copyOf(fallbacks);
    tiers = Set.copyOf(tiers);
  }

  /** The full name, {@code vendor/id}. */
  public String fullId() {
    return vendor + "/" + id;
  }

  public Optional<Rates> price() {
    return Optional.ofNullable(rates);
  }

  /** Whether it can no longer be called on that day (UTC). */
  public boolean retiredOn(LocalDate day) {
    return retired != null && !day.isBefore(retired);
  }

  public boolean free() {
    return rates != null && rates.free();
  }

  /** What a model can be asked to do besides writing text. */
  public enum Ability {
    TOOLS,
    REASONING
  }

  /** What a model takes besides plain text, which every model takes. */
  public enum Modality {
    TEXT,
    IMAGE,
    DOCUMENT
  }

  /**
   * Where a model runs.
   *
   * @param upstream the configured name of its upstream
   * @param model what the upstream calls it
   * @param protocol what the upstream speaks
   * @param quirks how its use of the protocol differs from the protocol's own
   * @param efforts the words for an effort that it takes; empty for all of the protocol
   */
  public record ModelSource(
      String upstream, String model, Dialect protocol, Set<Quirk> quirks, Set<Effort> efforts) {

    public ModelSource {
      quirks = Set.copyOf(quirks);
      efforts = Set.copyOf(efforts);
    }

    /** What a prompt is written for whose answer has so many tokens at most. */
    public Target target(int maxOutput) {
      return new Target(model, maxOutput, quirks, efforts);
    }
  }

  /** What a model may be chosen for when the caller leaves the choice to the gateway. */
  public enum Tier {
    /** Simple requests, for little money. */
    ECO,
    /** Ordinary work. */
    STANDARD,
    /** Hard work, whatever it costs. */
    PREMIUM,
    /** Costs nothing. */
    FREE,
    /** Sums up what a web search found. */
    SEARCH
  }

  /** How a model's tokens can be counted before it has run. */
  public enum Tokenizer {
    /** By the published vocabulary of that name. */
    O200K,
    /** By the published vocabulary of that name. */
    CL100K,
    /**
     * The vocabulary is not public: a token has at least one byte, so there are no more than bytes.
     */
    BYTES
  }

  /** For how long a caller has parts of a prompt cached, at most. */
  public enum Caching {
    NONE,
    MINUTES,
    HOUR
  }

  /**
   * What a million tokens cost, in millionths of a dollar, so that every price is exact.
   *
   * @param input of what the model reads
   * @param output of what it writes, its reasoning included
   * @param cacheRead of what it finds in the vendor's cache
   * @param cacheWrite of what it leaves there for a few minutes
   * @param cacheWriteHour of what it leaves there for an hour
   */
  public record Rates(
      long input, long output, long cacheRead, long cacheWrite, long cacheWriteHour) {

    /** A million dollars per million tokens: far above any model, far below overflow. */
    public static final long MAX = 1_000_000_000_000L;

    private static final int DECIMALS = 6;

    public Rates {
      for (long rate : new long[] {input, output, cacheRead, cacheWrite, cacheWriteHour}) {
        if (rate < 0 || rate > MAX) {
          throw new IllegalArgumentException("a rate is 0 to 1,000,000 dollars per million tokens");
        }
      }
    }

    /** Rates of a model whose cache has one price, however long it keeps. */
    public Rates(long input, long output, long cacheRead, long cacheWrite) {
      this(input, output, cacheRead, cacheWrite, cacheWrite);
    }

    /** Rates of a model without a cache price: what is cached costs what is read. */
    public static Rates of(String input, String output) {
      long read = micros(new BigDecimal(input));
      return new Rates(read, micros(new BigDecimal(output)), read, read);
    }

    /**
     * Dollars as millionths.
     *
     * @throws ArithmeticException if there are more than six decimal places
     */
    static long micros(BigDecimal dollars) {
      return dollars.movePointRight(DECIMALS).longValueExact();
    }

    /** Whether a call costs nothing, whatever it does. */
    public boolean free() {
      return input == 0 && output == 0 && cacheRead == 0 && cacheWrite == 0 && cacheWriteHour == 0;
    }

    /** The dearest that a token of input can be where the caller marked for the cache so. */
    public long dearestInput(Caching caching) {
      return switch (caching) {
        case NONE -> input;
        case MINUTES -> Math.max(input, cacheWrite);
        case HOUR -> Math.max(input, Math.max(cacheWrite, cacheWriteHour));
      };
    }
  }
}
