package dev.octroi.sandbox.language;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A model that follows simple instructions of the last user turn, and says the same to the same
 * request. What it understands is listed in {@code docs/language.md}. Thread-safe.
 */
final class SandboxModel {

  /** What a model of this kind can hold. */
  private static final long WINDOW = 200_000;

  /** What vendors add around each turn. */
  private static final int TURN_TOKENS = 4;

  private static final int TOOL_TOKENS = 12;
  private static final int SLOWEST_MILLIS = 60_000;

  private static final Pattern PACE = Pattern.compile("(?i)\\bat (\\d{1,5}) ?ms\\b");
  private static final Pattern BREACH =
      Pattern.compile("(?i)\\b(fail|cut) after (\\d{1,5}) tokens?");
  private static final Pattern FAIL = Pattern.compile("(?i)\\bfail with ([a-z_ ]+)");
  private static final Pattern REFUSE = Pattern.compile("(?i)\\brefuse\\b");

  private final Vocabulary vocabulary = new Vocabulary();
  private final PromptCache cache = new PromptCache(vocabulary);
  private final Wording wording = new Wording();

  /**
   * What the model writes.
   *
   * @throws VendorRefusal where the request asks for an error, or is too long
   */
  Plan plan(Asked asked) {
    fail(asked.lastText());
    long input = input(asked);
    if (input > WINDOW) {
      throw new VendorRefusal(
          400,
          "messages",
          "context_length_exceeded",
          "prompt is too long: " + input + " tokens > " + WINDOW + " maximum");
    }
    String id = Ids.of("reply", asked.body().toString());
    List<Asked.Tool> called = ToolChoice.of(asked, wording.isInstructed(asked.lastText()));
    Writing writing = new Writing(vocabulary, asked.maxTokens(), asked.stops());
    if (asked.thinks()) {
      writing.think("The request says: " + Wording.shortened(asked.lastText()) + " I will do so.");
    }
    boolean refuses = REFUSE.matcher(asked.lastText()).find();
    if (refuses) {
      writing.say("I cannot help with that.");
    } else if (called.isEmpty()) {
      writing.say(wording.answer(asked));
    } else {
      called.forEach(tool -> writing.call(call(asked, tool)));
    }
    return planned(asked, id, writing, refuses, input);
  }

  private Plan planned(Asked asked, String id, Writing writing, boolean refuses, long input) {
    Plan.Ending ending = writing.ending();
    PromptCache.Looked cached = cache.look(asked.body());
    return new Plan(
        id,
        asked.model(),
        writing.steps(),
        refuses && ending == Plan.Ending.DONE ? Plan.Ending.REFUSED : ending,
        writing.stop(),
        new Plan.Usage(
            Math.max(1, input - cached.read() - cached.minutes() - cached.hour()),
            writing.written(),
            writing.thought(),
            cached),
        pace(asked.lastText()),
        breach(asked.lastText()));
  }

  private long input(Asked asked) {
    long texts = asked.texts().stream().mapToLong(vocabulary::count).sum();
    long pictures = asked.pictures().stream().mapToLong(Pictures::tokens).sum();
    return texts
        + pictures
        + (long) TURN_TOKENS * asked.turns()
        + (long) TOOL_TOKENS * asked.tools().size();
  }

  private static Plan.Call call(Asked asked, Asked.Tool tool) {
    String arguments = SampleJson.of(tool.schema(), asked.lastText(), "").toString();
    return new Plan.Call(Ids.of(tool.name(), asked.body().toString()), tool.name(), arguments);
  }

  private static int pace(String text) {
    Matcher pace = PACE.matcher(text);
    return pace.find() ? Math.min(SLOWEST_MILLIS, Integer.parseInt(pace.group(1))) : 0;
  }

  private static Plan.Breach breach(String text) {
    Matcher breach = BREACH.matcher(text);
    return breach.find()
        ? new Plan.Breach(
            Integer.parseInt(breach.group(2)), breach.group(1).equalsIgnoreCase("cut"))
        : Plan.Breach.NEVER;
  }

  private static void fail(String text) {
    Matcher fail = FAIL.matcher(text);
    if (!fail.find()) {
      return;
    }
    String kind = fail.group(1).strip().toLowerCase(Locale.ROOT).replace(' ', '_');
    for (VendorError error : VendorError.values()) {
      if (kind.startsWith(error.word())) {
        throw new VendorRefusal(error.status(), "", error.code(), error.message());
      }
    }
  }
}
