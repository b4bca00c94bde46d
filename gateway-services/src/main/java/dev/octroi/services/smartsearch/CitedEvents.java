package dev.octroi.services.smartsearch;

import dev.octroi.services.language.Event;
import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * The model's stream as the caller is told it: its words with the marks of sources and the
 * citations behind them. Thoughts and whatever else it says is left out. For one thread.
 */
final class CitedEvents implements Event.Visitor {

  private final Marks marks;
  private List<Event> told = new ArrayList<>();
  private int index = -1;
  private boolean words;
  private boolean hasWords;

  CitedEvents(Marks marks) {
    this.marks = marks;
  }

  /** What the caller is told of an event. */
  List<Event> of(Event event) {
    event.accept(this);
    List<Event> taken = told;
    told = new ArrayList<>();
    return taken;
  }

  /** Whether a word of the summary was told: a model may spend all its tokens on thoughts. */
  boolean hasWords() {
    return hasWords;
  }

  @Override
  public void started(Event.Started event) {
    told.add(event);
  }

  @Override
  public void partStarted(Event.PartStarted event) {
    words = true;
    if (event.part() instanceof Part.Text text) {
      told.add(new Event.PartStarted(++index, Part.text("")));
      words(marks.more(text.text()));
    } else if (event.part() instanceof Part.Refusal refusal) {
      told.add(new Event.PartStarted(++index, new Part.Refusal("")));
      words(marks.more(refusal.text()));
    } else {
      words = false;
    }
  }

  @Override
  public void text(Event.TextDelta event) {
    if (words) {
      words(marks.more(event.text()));
    }
  }

  private void words(String text) {
    hasWords |= !text.isBlank();
    if (!text.isEmpty()) {
      told.add(new Event.TextDelta(index, text));
    }
    for (Citation citation : marks.news()) {
      told.add(new Event.Cited(index, citation));
    }
  }

  @Override
  public void partEnded(Event.PartEnded event) {
    if (words) {
      words(marks.rest());
      told.add(new Event.PartEnded(index));
      words = false;
    }
  }

  @Override
  public void used(Event.Used event) {
    told.add(event);
  }

  @Override
  public void stopped(Event.Stopped event) {
    told.add(event);
  }

  @Override
  public void ended(Event.Ended event) {
    told.add(event);
  }

  @Override
  public void failed(Event.Failed event) {
    told.add(event);
  }

  @Override
  public void ping(Event.Ping event) {
    told.add(event);
  }

  @Override
  public void thinking(Event.ThinkingDelta event) {
    // the summary is what was paid for
  }

  @Override
  public void seal(Event.Sealed event) {
    // belongs to thoughts
  }

  @Override
  public void arguments(Event.ArgumentsDelta event) {
    // there are no tools
  }

  @Override
  public void cited(Event.Cited event) {
    // only what the search found is a source
  }
}
