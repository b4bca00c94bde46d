package dev.octroi.services.language;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The events that a reader makes of its frames: numbers the parts, closes one before the next
 * begins, and tells once how the stream ended. For one thread.
 */
public final class EventSequence {

  private List<Event> events = new ArrayList<>();
  private int parts;
  private boolean open;
  private boolean over;

  public void add(Event event) {
    if (!over) {
      events.add(event);
    }
  }

  /** Opens a part; the one before is closed. */
  public void start(Part part) {
    close();
    add(new Event.PartStarted(parts++, part));
    open = true;
  }

  public boolean isOpen() {
    return open;
  }

  /** The number of the part that was opened last. */
  public int index() {
    return parts - 1;
  }

  public void close() {
    if (open) {
      add(new Event.PartEnded(index()));
      open = false;
    }
  }

  /** The answer is whole. */
  public void end() {
    close();
    add(new Event.Ended());
    over = true;
  }

  /** The answer broke off; nothing is told after it. */
  public void fail(Problem problem) {
    add(new Event.Failed(problem));
    over = true;
  }

  /** The bytes ended: a failure, unless how the answer ended was told before. */
  public void finish() {
    if (!over) {
      fail(broken());
    }
  }

  public boolean isOver() {
    return over;
  }

  /** What a frame tells; one that cannot be read is a failure. */
  public List<Event> read(SseFrame frame, Consumer<JsonNode> told) {
    JsonNode tree = LanguageJson.tree(frame);
    if (tree.isObject()) {
      told.accept(tree);
    } else if (!frame.data().isEmpty()) {
      fail(broken());
    }
    return take();
  }

  /** What is told where the bytes end. */
  public List<Event> last() {
    finish();
    return take();
  }

  /** What was told since it was asked last. */
  public List<Event> take() {
    List<Event> taken = events;
    events = new ArrayList<>();
    return taken;
  }

  /** The answer ended, and nothing was said. */
  public static Problem empty() {
    return Problem.of(502, "The model ended its answer without content", "upstream_failed");
  }

  /** The upstream broke the stream, or the protocol. */
  public static Problem broken() {
    return Problem.of(502, "The upstream's answer broke off", "upstream_failed");
  }
}
