package dev.octroi.sandbox.language;

import java.util.ArrayList;
import java.util.List;

/** What one answer has come to so far, within its tokens and up to a stop sequence. */
final class Writing {

  private final Vocabulary vocabulary;
  private final int maxTokens;
  private final List<String> stops;
  private final List<Plan.Step> steps = new ArrayList<>();
  private Plan.Ending ending = Plan.Ending.DONE;
  private String stop = "";
  private long written;
  private long thought;

  Writing(Vocabulary vocabulary, int maxTokens, List<String> stops) {
    this.vocabulary = vocabulary;
    this.maxTokens = maxTokens;
    this.stops = stops;
  }

  void think(String text) {
    List<String> pieces = fitting(vocabulary.pieces(text));
    thought += pieces.size();
    steps.add(new Plan.Think(pieces));
  }

  void say(String text) {
    if (ending == Plan.Ending.DONE) {
      List<String> pieces = fitting(vocabulary.pieces(stopped(text)));
      if (ending == Plan.Ending.DONE && !stop.isEmpty()) {
        ending = Plan.Ending.STOP;
      }
      steps.add(new Plan.Say(pieces));
    }
  }

  void call(Plan.Call call) {
    if (ending == Plan.Ending.DONE || ending == Plan.Ending.TOOLS) {
      ending = Plan.Ending.TOOLS;
      written += vocabulary.count(call.name() + call.arguments());
      steps.add(call);
    }
  }

  List<Plan.Step> steps() {
    return List.copyOf(steps);
  }

  Plan.Ending ending() {
    return ending;
  }

  String stop() {
    return ending == Plan.Ending.STOP ? stop : "";
  }

  long written() {
    return Math.max(1, written);
  }

  long thought() {
    return thought;
  }

  private String stopped(String text) {
    int end = text.length();
    for (String sequence : stops) {
      int at = sequence.isEmpty() ? -1 : text.indexOf(sequence);
      if (at >= 0 && at < end) {
        end = at;
        stop = sequence;
      }
    }
    return text.substring(0, end);
  }

  private List<String> fitting(List<String> pieces) {
    int room = (int) Math.max(0, maxTokens - written);
    if (pieces.size() > room) {
      ending = Plan.Ending.LENGTH;
    }
    List<String> fit = pieces.subList(0, Math.min(room, pieces.size()));
    written += fit.size();
    return List.copyOf(fit);
  }
}
