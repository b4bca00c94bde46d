package dev.octroi.services.language;

/**
 * What a prompt may hold at most. The body's size is the host's to limit; these bound the work that
 * a body of that size can cause.
 */
public final class PromptLimits {

  /** Levels of JSON, deep enough for any schema that an upstream takes. */
  public static final int DEPTH = 128;

  /** Characters of one text: the whole of the largest body, since a document is one text. */
  public static final int TEXT = 32 * 1024 * 1024;

  /** Turns and items of a talk. */
  public static final int TURNS = 10_000;

  /** Parts of a turn. */
  public static final int PARTS = 2_000;

  public static final int TOOLS = 512;

  /** Uses of a tool of the vendor's within one call. */
  public static final int USES = 1_000;

  public static final int STOP_SEQUENCES = 64;

  /** Characters of a name or an id. */
  public static final int NAME = 512;

  /** Characters of a stop sequence, a description's title, a label. */
  public static final int WORD = 4_096;

  /** Pairs of metadata. */
  public static final int METADATA = 64;

  /** Characters of a streamed answer that a writer must keep to repeat it at the end. */
  public static final int KEPT_ANSWER = 16 * 1024 * 1024;

  private PromptLimits() {}
}
