package dev.octroi.services.language;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks a model, whatever the protocol it was asked in.
 *
 * @param model as the caller spelled it
 * @param turns the talk so far, instructions included, neighbouring turns of one speaker joined
 * @param reasoning null for the upstream's default
 * @param mark the caller's mark that all of it may be cached; null where only parts are marked
 * @param untranslatable what only the caller's own protocol can say; harmless members are left out
 */
public record Prompt(
    String model,
    List<Turn> turns,
    Tooling tooling,
    Sampling sampling,
    Output output,
    @Nullable Reasoning reasoning,
    Labels labels,
    Streaming streaming,
    @Nullable CacheMark mark,
    List<Untranslatable> untranslatable) {

  public Prompt {
    turns = Turn.joined(turns);
    untranslatable = List.copyOf(untranslatable);
  }

  /** The same, sampled otherwise. */
  public Prompt with(Sampling other) {
    return new Prompt(
        model, turns, tooling, other, output, reasoning, labels, streaming, mark, untranslatable);
  }

  /** The same with another form or limit of the answer. */
  public Prompt with(Output other) {
    return new Prompt(
        model, turns, tooling, sampling, other, reasoning, labels, streaming, mark, untranslatable);
  }

  /** The same with other tools, or other rules for them. */
  public Prompt with(Tooling other) {
    return new Prompt(
        model, turns, other, sampling, output, reasoning, labels, streaming, mark, untranslatable);
  }

  /** The same with other thoughts. */
  public Prompt with(@Nullable Reasoning other) {
    return new Prompt(
        model, turns, tooling, sampling, output, other, labels, streaming, mark, untranslatable);
  }

  /** The same with other labels. */
  public Prompt with(Labels other) {
    return new Prompt(
        model, turns, tooling, sampling, output, reasoning, other, streaming, mark, untranslatable);
  }

  /**
   * Checks that another protocol can say all of it.
   *
   * @throws InvalidPrompt 400, naming the first member that has no translation
   */
  public void requireTranslatable() {
    if (!untranslatable.isEmpty()) {
      String member = untranslatable.get(0).member();
      throw new InvalidPrompt(
          member, member + " cannot be said in the protocol that this model's upstream speaks");
    }
  }

  /** A piece of what is said: the sum of what the protocols' blocks, parts and items can hold. */
  public sealed interface Part {

    /** Words. */
    record Text(String text, List<Citation> citations, @Nullable CacheMark mark) implements Part {
      public Text {
        citations = List.copyOf(citations);
      }
    }

    /**
     * A picture.
     *
     * @param detail how closely to look, as the caller spelled it; null for the upstream's default
     */
    record Image(Source source, @Nullable String detail, @Nullable CacheMark mark)
        implements Part {}

    /** A document, with its title or file name where it has one. */
    record Document(Source source, @Nullable String title, @Nullable CacheMark mark)
        implements Part {}

    /** The model's thoughts, or a summary of them, with what proves them to their upstream. */
    record Thinking(String text, @Nullable Seal seal) implements Part {}

    /**
     * The model asks for a tool.
     *
     * @param id as the upstream gave it; results refer to it
     * @param arguments JSON text, empty for none; not always valid, since a model wrote it
     */
    record ToolUse(String id, String name, String arguments, @Nullable CacheMark mark)
        implements Part {}

    /** What a tool said. */
    record ToolResult(String id, List<Part> parts, boolean error, @Nullable CacheMark mark)
        implements Part {
      public ToolResult {
        parts = List.copyOf(parts);
      }
    }

    /** The words with which a model declines. */
    record Refusal(String text) implements Part {}

    /**
     * What only its own protocol can say. A prompt that holds one names it as {@link
     * Untranslatable}.
     *
     * @param member where it stands, such as {@code messages[0].content[1]}
     */
    record Native(String member, JsonNode value) implements Part {}

    static Text text(String text) {
      return new Text(text, List.of(), null);
    }
  }

  /**
   * A function that the caller runs when the model asks for it.
   *
   * @param schema JSON schema of the arguments; null where the caller gave none
   * @param strict whether arguments must fit the schema; null for the protocol's default
   */
  public record Tool(
      String name,
      @Nullable String description,
      @Nullable JsonNode schema,
      @Nullable Boolean strict,
      @Nullable CacheMark mark) {}

  /** Whether the model may, must or must not ask for a tool. */
  public sealed interface ToolChoice {

    /** The model decides. */
    record Auto() implements ToolChoice {}

    /** No tool. */
    record None() implements ToolChoice {}

    /** At least one, whichever. */
    record Any() implements ToolChoice {}

    /** This one. */
    record Named(String name) implements ToolChoice {}
  }

  /** How the next token is chosen; null members are the upstream's to choose. */
  public record Sampling(
      @Nullable BigDecimal temperature,
      @Nullable BigDecimal topP,
      @Nullable Integer topK,
      @Nullable Long seed,
      @Nullable BigDecimal frequencyPenalty,
      @Nullable BigDecimal presencePenalty,
      List<String> stopSequences) {

    public static final Sampling DEFAULT =
        new Sampling(null, null, null, null, null, null, List.of());

    public Sampling {
      stopSequences = List.copyOf(stopSequences);
    }

    /** Whether repetition is to be punished or rewarded, which not every protocol can say. */
    public boolean hasPenalty() {
      return isSet(frequencyPenalty) || isSet(presencePenalty);
    }

    private static boolean isSet(@Nullable BigDecimal penalty) {
      return penalty != null && penalty.signum() != 0;
    }
  }

  /**
   * Whether the answer comes event by event.
   *
   * @param usage whether the caller wants the count of tokens at the end, where the protocol leaves
   *     that to it
   */
  public record Streaming(boolean on, boolean usage) {

    public static final Streaming OFF = new Streaming(false, false);
  }

  /**
   * What the answer may be.
   *
   * @param maxTokens most tokens of it, thoughts included; null for the model's own limit
   * @param verbosity {@code low}, {@code medium}, {@code high}; null for the upstream's default
   * @param candidates how many answers are asked for; more than one only where no translation is
   *     needed
   */
  public record Output(
      @Nullable Integer maxTokens, Format format, @Nullable String verbosity, int candidates) {

    public static final Output DEFAULT = new Output(null, new Format.Prose(), null, 1);
  }

  /** The form that the words of the answer must have. */
  public sealed interface Format {

    /** Whatever the model writes. */
    record Prose() implements Format {}

    /** Any JSON object. */
    record JsonObject() implements Format {}

    /** JSON that fits a schema. */
    record JsonSchema(
        String name, @Nullable String description, JsonNode schema, @Nullable Boolean strict)
        implements Format {}
  }

  /**
   * How the model is to think before it answers.
   *
   * @param effort null where only a budget is given, or where the model decides
   * @param budgetTokens most tokens of thoughts; null where only an effort is given
   * @param summary whether the caller wants to read the thoughts or a summary of them
   * @param thinks whether the model is told to think; an effort alone says how much it does of what
   *     it does by itself
   */
  public record Reasoning(
      @Nullable Effort effort, @Nullable Integer budgetTokens, boolean summary, boolean thinks) {

    /** What tells a model to think, unless the effort is none. */
    public Reasoning(@Nullable Effort effort, @Nullable Integer budgetTokens, boolean summary) {
      this(effort, budgetTokens, summary, effort != Effort.NONE);
    }

    /** Whether the model is told not to think. */
    public boolean off() {
      return effort == Effort.NONE;
    }

    /** The effort in words; null where the model decides. */
    public @Nullable Effort inWords() {
      if (effort != null) {
        return effort;
      }
      return budgetTokens == null ? null : Effort.ofBudget(budgetTokens);
    }

    /** The effort in tokens, {@link Effort#MEDIUM} where the model decides. */
    public int inTokens() {
      if (budgetTokens != null) {
        return budgetTokens;
      }
      return effort == null ? Effort.MEDIUM.budgetTokens() : effort.budgetTokens();
    }
  }

  /**
   * What a caller attaches to a prompt for its own books; the model never sees it.
   *
   * @param user an opaque name of the person behind the caller, for the upstream's abuse tracking
   */
  public record Labels(@Nullable String user, Map<String, String> metadata) {

    public static final Labels NONE = new Labels(null, Map.of());

    public Labels {
      metadata = Map.copyOf(metadata);
    }
  }

  /**
   * Who speaks in a turn. The two kinds of instruction stay apart because some models tell them.
   */
  public enum Role {
    SYSTEM,
    DEVELOPER,
    USER,
    ASSISTANT;

    /** Whether the turn instructs the model instead of talking with it. */
    public boolean instructs() {
      return this == SYSTEM || this == DEVELOPER;
    }
  }

  /** Where the content of an image or a document is. */
  public sealed interface Source {

    /** Content in the body itself. */
    record Inline(String mediaType, String base64) implements Source {

      /** The form in which two of the protocols carry it. */
      public String dataUrl() {
        return "data:" + mediaType + ";base64," + base64;
      }
    }

    /** Content that the upstream fetches. */
    record Address(String url) implements Source {}

    /** A document that is plain text. */
    record Plain(String text) implements Source {}

    /**
     * The source that a URL stands for: inline for base64 data URLs, an address for http and https;
     * empty for every other scheme.
     */
    static Optional<Source> ofUrl(String url) {
      if (url.startsWith("https://") || url.startsWith("http://")) {
        return Optional.of(new Address(url));
      }
      int comma = url.indexOf(',');
      if (!url.startsWith("data:") || comma < 0) {
        return Optional.empty();
      }
      String head = url.substring("data:".length(), comma);
      int base64 = head.indexOf(";base64");
      return base64 <= 0
          ? Optional.empty()
          : Optional.of(new Inline(head.substring(0, base64), url.substring(comma + 1)));
    }
  }

  /**
   * The caller's mark that everything up to here may be cached by the upstream. Only the messages
   * protocol says it (chat callers borrow its member); elsewhere caching is the upstream's own
   * affair and the mark is dropped.
   *
   * @param life such as {@code 5m}; null for the upstream's default
   */
  public record CacheMark(@Nullable String life) {

    private static final String HOUR = "1h";

    /** Whether the upstream is to keep it for an hour, which costs more. */
    public boolean hour() {
      return HOUR.equals(life);
    }

    /**
     * The mark that a block carries, under the name that it has in every protocol that knows it.
     */
    public static @Nullable CacheMark of(Member block) {
      Member mark = block.at("cache_control");
      return mark.present() ? new CacheMark(mark.at("ttl").textOrNull(PromptLimits.NAME)) : null;
    }
  }

  /**
   * A source that a text names.
   *
   * @param url where the source is
   * @param title its title, may be empty
   * @param quoted the words of the source, may be empty
   * @param start first character of the text that rests on the source, 0 where that is not known
   * @param end the character after the last, 0 where that is not known
   */
  public record Citation(String url, String title, String quoted, int start, int end) {}

  /**
   * A member of a prompt that means something and that no other protocol can say.
   *
   * @param member where it stands in the caller's body
   * @param feature what the vendor may charge for beside tokens, or keep, such as {@code
   *     web_search}; null where the member costs tokens at most
   * @param uses how often the model may use the feature; null where the vendor charges once
   */
  public record Untranslatable(String member, @Nullable String feature, @Nullable Uses uses) {

    /** What the vendor charges for once at most. */
    public Untranslatable(String member, @Nullable String feature) {
      this(member, feature, null);
    }
  }

  /**
   * How often a model may use a feature within one call.
   *
   * @param member where a request says it, such as {@code tools[0].max_uses}
   * @param most what this request says; null where it says nothing
   */
  public record Uses(String member, @Nullable Integer most) {}

  /**
   * What one side said before the other spoke. Results of tools stand in a turn of {@link
   * Role#USER}.
   *
   * @param besides what the model reads too and only one protocol can say: names of those who
   *     speak, what another host adds to thoughts
   */
  public record Turn(Role role, List<Part> parts, List<String> besides) {

    public Turn {
      parts = List.copyOf(parts);
      besides = List.copyOf(besides);
    }

    public Turn(Role role, List<Part> parts) {
      this(role, parts, List.of());
    }

    /** The same, said under a name. */
    public Turn by(String name) {
      return new Turn(role, parts, both(besides, List.of(name)));
    }

    /**
     * The same talk with neighbouring turns of one speaker joined, as the protocols themselves read
     * it. Instructions stay as they were cut.
     */
    public static List<Turn> joined(List<Turn> turns) {
      List<Turn> joined = new ArrayList<>(turns.size());
      for (Turn turn : turns) {
        int last = joined.size() - 1;
        if (last >= 0 && !turn.role().instructs() && joined.get(last).role() == turn.role()) {
          joined.set(last, joined.get(last).plus(turn));
        } else {
          joined.add(turn);
        }
      }
      return List.copyOf(joined);
    }

    private Turn plus(Turn more) {
      return new Turn(role, both(parts, more.parts), both(besides, more.besides));
    }

    private static <T> List<T> both(List<T> some, List<T> more) {
      List<T> all = new ArrayList<>(some);
      all.addAll(more);
      return all;
    }
  }

  /**
   * The tools of a prompt and how they may be asked for.
   *
   * @param choice null for the protocol's default
   * @param parallel whether several may be asked for at once; null for the protocol's default
   * @param natives tools that only their own protocol can say; the model reads them too
   */
  public record Tooling(
      List<Tool> tools,
      @Nullable ToolChoice choice,
      @Nullable Boolean parallel,
      List<Part.Native> natives) {

    public static final Tooling NONE = new Tooling(List.of(), null, null);

    public Tooling {
      tools = List.copyOf(tools);
      natives = List.copyOf(natives);
    }

    /** Tools that every protocol can say. */
    public Tooling(List<Tool> tools, @Nullable ToolChoice choice, @Nullable Boolean parallel) {
      this(tools, choice, parallel, List.of());
    }
  }

  /**
   * How much a model thinks, and the budget of tokens that stands for it where a protocol counts
   * tokens instead.
   */
  public enum Effort {
    NONE(0),
    MINIMAL(1_024),
    LOW(2_048),
    MEDIUM(8_192),
    HIGH(24_576),
    XHIGH(32_768),
    MAX(65_536);

    private final int budgetTokens;

    Effort(int budgetTokens) {
      this.budgetTokens = budgetTokens;
    }

    public int budgetTokens() {
      return budgetTokens;
    }

    /** As the protocols spell it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Effort> of(String word) {
      for (Effort effort : values()) {
        if (effort.word().equals(word)) {
          return Optional.of(effort);
        }
      }
      return Optional.empty();
    }

    /** The words that a protocol knows. */
    static Set<Effort> of(Dialect dialect) {
      return dialect == Dialect.MESSAGES ? EnumSet.range(LOW, MAX) : EnumSet.range(NONE, XHIGH);
    }

    /**
     * The effort for a budget: the nearest that does not think less, {@link #HIGH} at most, since
     * not every model knows the words beyond.
     */
    public static Effort ofBudget(int tokens) {
      for (Effort effort : values()) {
        if (effort == HIGH || tokens <= effort.budgetTokens) {
          return effort;
        }
      }
      throw new AssertionError("unreachable: HIGH ends the search");
    }
  }
}
