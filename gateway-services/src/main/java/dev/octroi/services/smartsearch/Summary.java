package dev.octroi.services.smartsearch;

import dev.octroi.services.language.Citation;
import dev.octroi.services.language.Part;
import dev.octroi.services.language.Reply;
import java.util.List;

/**
 * What pages of the web say about a question.
 *
 * @param model the public name of the model that wrote it
 * @param text its {@code [n]} is the n-th citation
 * @param citations the sources that the text uses, and no others
 * @param reply all of it as a model's answer, with what the model used
 */
public record Summary(String model, String text, List<Citation> citations, Reply reply) {

  public Summary {
    citations = List.copyOf(citations);
  }

  static Summary of(String model, Reply written, Sources sources) {
    Marks marks = new Marks(sources);
    StringBuilder text = new StringBuilder();
    for (Part part : written.parts()) {
      if (part instanceof Part.Text words) {
        text.append(marks.more(words.text()));
      } else if (part instanceof Part.Refusal refusal) {
        text.append(marks.more(refusal.text()));
      }
    }
    String whole = text.append(marks.rest()).toString();
    List<Part> told = List.of(new Part.Text(whole, marks.cited(), null));
    Reply reply =
        new Reply(
            written.id(),
            written.model(),
            told,
            written.stop(),
            written.stopSequence(),
            written.usage());
    return new Summary(model, whole, marks.cited(), reply);
  }
}
