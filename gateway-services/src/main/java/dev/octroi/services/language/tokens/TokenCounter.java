package dev.octroi.services.language.tokens;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.octroi.services.language.catalogue.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  /** A page takes some 5,000 tokens as text and picture, and compressed at least 600 bytes. */
  private static final long PER_DOCUMENT = 5_000;

  private static final long PER_DOCUMENT_BYTE = 8;

  private final EncodingRegistry registry = Encodings.newLazyEncodingRegistry();
  private final Set<Tokenizer> prepared = ConcurrentHashMap.newKeySet();

  /** Reads the vocabulary now rather than at the first call that needs it. */
  public void prepare(Tokenizer tokenizer) {
    encoding(tokenizer);
    prepared.add(tokenizer);
  }

  /** Whether {@link #prepare} has been done for it, so that no call waits for its vocabulary. */
  public boolean isPrepared(Tokenizer tokenizer) {
    return prepared.contains(tokenizer);
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
    long documents =
        prompt.documentBytes().stream()
            .mapToLong(bytes -> PER_DOCUMENT + PER_DOCUMENT_BYTE * bytes)
            .sum();
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
}
