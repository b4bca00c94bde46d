package dev.octroi.services.language.tokens;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.octroi.services.language.catalogue.Model.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a model will read: by its family's own vocabulary where that is public, else by a
 * bound that never undercounts, a token having at least one byte. The rules are documented in
 * {@code docs/decisions/tokens.md}. Thread-safe; reads a vocabulary when it is first needed.
 */
public final class TokenCounter {

  /**
   * Characters counted exactly; beyond, bytes are, so that no caller can buy much work for free.
   */
  static final int EXACT_CHARACTERS = 256 * 1024;

  /** The longest token of any published vocabulary, in bytes. */
  private static final long LONGEST_TOKEN = 128;

  /** What vendors add around a conversation, around each turn, and around tools. */
  private static final long PER_CALL = 32;

  private static final long PER_TURN = 8;
  private static final long FOR_TOOLS = 1_000;
  private static final long PER_TOOL = 32;

  /**
   * More than any model's window: pages that share what they show, and words that are compressed,
   * make a document of any length of a few bytes.
   */
  private static final long PER_DOCUMENT = 1L << 32;

  private final EncodingRegistry registry = Encodings.newLazyEncodingRegistry();

  /** Reads the vocabulary now rather than at the first call that needs it. */
  public void prepare(Tokenizer tokenizer) {
    encoding(tokenizer);
  }

  /** What the prompt comes to, with all that a vendor adds to it. */
  public TokenCount count(Tokenizer tokenizer, CountedPrompt prompt) {
    Tally tally = new Tally(encoding(tokenizer));
    prompt.texts().forEach(tally::add);
    return tally.total.plus(new TokenCount(0, around(prompt)));
  }

  /** What a text comes to by itself, such as one that a model has written. */
  public TokenCount count(Tokenizer tokenizer, String text) {
    Tally tally = new Tally(encoding(tokenizer));
    tally.add(text);
    return tally.total;
  }

  private static long around(CountedPrompt prompt) {
    long tools = prompt.tools() == 0 ? 0 : FOR_TOOLS + PER_TOOL * prompt.tools();
    long pictures = prompt.pictures().stream().mapToLong(Picture::atMost).sum();
    long documents = PER_DOCUMENT * prompt.documents();
    return PER_CALL + PER_TURN * prompt.turns() + tools + pictures + documents;
  }

  private @Nullable Encoding encoding(Tokenizer tokenizer) {
    return switch (tokenizer) {
      case O200K -> registry.getEncoding(EncodingType.O200K_BASE);
      case CL100K -> registry.getEncoding(EncodingType.CL100K_BASE);
      case BYTES -> null;
    };
  }

  /** One count, which knows how much work it has done. */
  private static final class Tally {

    private final @Nullable Encoding encoding;
    private int exact = EXACT_CHARACTERS;
    private TokenCount total = TokenCount.NONE;

    private Tally(@Nullable Encoding encoding) {
      this.encoding = encoding;
    }

    private void add(String text) {
      if (encoding == null || text.length() > exact) {
        bytes(text);
      } else {
        exact -= text.length();
        Runs.cut(text, ordinary -> counted(encoding, ordinary), this::bytes);
      }
    }

    /** A cut may have cost a token that the whole would not have. */
    private void counted(Encoding by, String text) {
      long tokens = by.countTokensOrdinary(text);
      total = total.plus(new TokenCount(tokens - 1, tokens));
    }

    private void bytes(String text) {
      long bytes = text.getBytes(StandardCharsets.UTF_8).length;
      total = total.plus(new TokenCount(bytes / LONGEST_TOKEN, bytes));
    }
  }

  /**
   * Everything of a request that its model will read.
   *
   * @param texts of the system prompt, the turns, tool calls and results, and the tools: names,
   *     descriptions and schemas as JSON
   * @param turns how many turns the conversation has
   * @param tools how many tools are offered
   * @param pictures in turns and tool results
   * @param documents how many there are that are no plain text
   */
  public record CountedPrompt(
      List<String> texts, int turns, int tools, List<Picture> pictures, int documents) {

    public CountedPrompt {
      texts = List.copyOf(texts);
      pictures = List.copyOf(pictures);
    }

    /** Turns of nothing but text. */
    public static CountedPrompt of(String... texts) {
      return new CountedPrompt(List.of(texts), texts.length, 0, List.of(), 0);
    }
  }

  /**
   * A number of tokens, as closely as it can be known without the model.
   *
   * @param atLeast surely as many: what decides whether a window is exceeded
   * @param atMost surely no more: what is quoted
   */
  public record TokenCount(long atLeast, long atMost) {

    static final TokenCount NONE = new TokenCount(0, 0);

    public TokenCount {
      if (atLeast < 0 || atMost < atLeast) {
        throw new IllegalArgumentException("a count has a least and a most");
      }
    }

    TokenCount plus(TokenCount other) {
      return new TokenCount(atLeast + other.atLeast, atMost + other.atMost);
    }
  }

  /**
   * One picture.
   *
   * @param width pixels; 0 if not known, as for a picture behind an address
   * @param height pixels; 0 if not known
   * @param original whether it is asked to be read unreduced
   */
  public record Picture(int width, int height, boolean original) {

    private static final int TILE = 512;
    private static final int BASE_TOKENS = 300;
    private static final int TILE_TOKENS = 640;

    /** Vendors reduce larger pictures before a model reads them. */
    private static final int MOST = 5_000;

    /** Unless they are asked not to. */
    private static final int MOST_ORIGINAL = 20_000;

    public static final Picture UNKNOWN = new Picture(0, 0, false);

    /** The picture whose file begins so; its size stays unknown where the form is. */
    public static Picture of(byte[] head, boolean original) {
      long size = PictureHead.size(head);
      return new Picture((int) (size >>> Integer.SIZE), (int) size, original);
    }

    /**
     * More than any of the vendors' published rules makes of it: those count an area (750 pixels a
     * token), tiles (170 tokens and a base, or 258) or patches (32 pixels square, weighted).
     */
    long atMost() {
      long most = original ? MOST_ORIGINAL : MOST;
      if (width <= 0 || height <= 0) {
        return most;
      }
      long tiles = tiles(width) * tiles(height);
      return Math.min(most, BASE_TOKENS + TILE_TOKENS * tiles);
    }

    private static long tiles(int pixels) {
      return (pixels + TILE - 1L) / TILE;
    }
  }
}
