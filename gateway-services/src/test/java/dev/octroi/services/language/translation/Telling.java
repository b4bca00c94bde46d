package dev.octroi.services.language.translation;

import dev.octroi.services.language.Event;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.Usage;
import java.util.ArrayList;
import java.util.List;

/** Tells a whole answer event by event, a few characters at a time. */
final class Telling {

  private static final int STEP = 3;

  private final List<Event> events = new ArrayList<>();

  private Telling() {}

  static List<Event> of(Reply reply) {
    Telling telling = new Telling();
    telling.events.add(new Event.Started(reply.id(), reply.model(), Usage.NONE));
    for (int i = 0; i < reply.parts().size(); i++) {
      telling.part(i, reply.parts().get(i));
      telling.events.add(new Event.PartEnded(i));
    }
    telling.events.add(new Event.Stopped(reply.stop(), reply.stopSequence()));
    telling.events.add(new Event.Used(reply.usage()));
    telling.events.add(new Event.Ended());
    return telling.events;
  }

  private void part(int index, Part part) {
    if (part instanceof Part.Text text) {
      events.add(new Event.PartStarted(index, Part.text("")));
      steps(text.text()).forEach(step -> events.add(new Event.TextDelta(index, step)));
      text.citations().forEach(citation -> events.add(new Event.Cited(index, citation)));
    } else if (part instanceof Part.Refusal refusal) {
      events.add(new Event.PartStarted(index, new Part.Refusal("")));
      steps(refusal.text()).forEach(step -> events.add(new Event.TextDelta(index, step)));
    } else if (part instanceof Part.ToolUse use) {
      events.add(new Event.PartStarted(index, new Part.ToolUse(use.id(), use.name(), "", null)));
      steps(use.arguments()).forEach(step -> events.add(new Event.ArgumentsDelta(index, step)));
    } else if (part instanceof Part.Thinking thinking) {
      events.add(new Event.PartStarted(index, new Part.Thinking("", null)));
      steps(thinking.text()).forEach(step -> events.add(new Event.ThinkingDelta(index, step)));
      if (thinking.seal() != null) {
        events.add(new Event.Sealed(index, thinking.seal()));
      }
    }
  }

  private static List<String> steps(String text) {
    List<String> steps = new ArrayList<>();
    for (int from = 0; from < text.length(); ) {
      int to = Math.min(text.length(), from + STEP);
      if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
        to++;
      }
      steps.add(text.substring(from, to));
      from = to;
    }
    return steps;
  }
}
