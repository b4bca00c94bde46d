package dev.octroi.sandbox.voice;

import dev.octroi.sandbox.vendor.Seeded;
import java.util.ArrayList;
import java.util.List;

/** What is said on a call: made from its task, the same for the same task. */
final class Talk {

  /** One turn of it. */
  record Turn(String speaker, String text) {}

  private static final int LONGEST_SUBJECT = 200;

  private static final List<String> GREETINGS = List.of("Hello?", "Yes?", "Good day.", "Speaking.");
  private static final List<String> REPLIES =
      List.of(
          "Let me see. Yes, that can be done.",
          "I would have to ask, but I think so.",
          "No, not today. Tomorrow at ten?",
          "That is right, thank you for asking.");

  private Talk() {}

  static List<Turn> of(Order order, Plot plot) {
    Seeded seeded = Seeded.of("talk", order.to(), order.task());
    String opening = order.firstSentence().orElse("Hello, this is an assistant calling.");
    if (plot == Plot.VOICEMAIL) {
      return List.of(
          new Turn("user", "Please leave a message after the tone."),
          new Turn("assistant", opening + " " + subject(order.task())));
    }
    List<Turn> turns = new ArrayList<>();
    turns.add(new Turn("assistant", opening));
    turns.add(order.waitForGreeting() ? 0 : 1, new Turn("user", seeded.pick(GREETINGS)));
    turns.add(new Turn("assistant", "I am to do this: " + subject(order.task())));
    turns.add(new Turn("user", seeded.pick(REPLIES)));
    turns.add(new Turn("assistant", "Thank you. Goodbye."));
    return List.copyOf(turns);
  }

  private static String subject(String task) {
    String line = task.strip().replaceAll("\\s+", " ");
    return line.length() <= LONGEST_SUBJECT ? line : line.substring(0, LONGEST_SUBJECT) + "…";
  }
}
