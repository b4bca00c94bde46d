package dev.octroi.services.language.translation;

import dev.octroi.services.language.Event;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends an answer where its text holds a stop sequence, for an upstream that knows none. The caller
 * sees nothing of the sequence and of what follows it. The upstream writes on, and is read to its
 * end all the same: what it has used is known only there, and is what the answer tells and costs.
 * For one stream and one thread.
 */
final class StopSequences implements EventReader {

  private final EventReader upstream;
  private final List<String> stops;

  /** The end of the text so far that may be the beginning of a sequence. */
  private final StringBuilder held = new StringBuilder();

  private boolean words;
  private @Nullable String found;

  StopSequences(EventReader upstream, List<String> stops) {
    this.upstream = upstream;
    this.stops = List.copyOf(stops);
  }

  /** A whole answer up to the first sequence in a text of it; the same if there is none. */
  static Reply cut(Reply reply, List<String> stops) {
    List<Part> parts = new ArrayList<>();
    for (Part part : reply.parts()) {
      Match match = part instanceof Part.Text text ? Match.first(text.text(), stops) : null;
      if (match != null) {
        String before = ((Part.Text) part).text().substring(0, match.at());
        parts.add(Part.text(before));
        return new Reply(
            reply.id(),
            reply.model(),
            parts,
            StopReason.STOP_SEQUENCE,
            match.sequence(),
            reply.usage());
      }
      parts.add(part);
    }
    return reply;
  }

  @Override
  public List<Event> read(SseFrame frame) {
    return told(upstream.read(frame));
  }

  @Override
  public List<Event> end() {
    return told(upstream.end());
  }

  private List<Event> told(List<Event> events) {
    List<Event> told = new ArrayList<>(events.size());
    for (Event event : events) {
      if (found == null) {
        running(event, told);
      } else {
        stopped(event, found, told);
      }
    }
    return told;
  }

  private void running(Event event, List<Event> told) {
    if (event instanceof Event.PartStarted started) {
      words = started.part() instanceof Part.Text;
      if (started.part() instanceof Part.Text text) {
        told.add(new Event.PartStarted(started.index(), Part.text("")));
        text(started.index(), text.text(), told);
        return;
      }
    } else if (event instanceof Event.TextDelta delta && words) {
      text(delta.index(), delta.text(), told);
      return;
    } else if (event instanceof Event.PartEnded ended) {
      release(ended.index(), held.length(), told);
    }
    told.add(event);
  }

  private void text(int index, String more, List<Event> told) {
    held.append(more);
    String text = held.toString();
    Match match = Match.first(text, stops);
    if (match == null) {
      release(index, text.length() - Match.begun(text, stops), told);
      return;
    }
    found = match.sequence();
    release(index, match.at(), told);
    held.setLength(0);
    told.add(new Event.PartEnded(index));
  }

  private void release(int index, int length, List<Event> told) {
    if (length > 0) {
      told.add(new Event.TextDelta(index, held.substring(0, length)));
      held.delete(0, length);
    }
  }

  /** Only the usage and the end are told; an upstream that fails now has told all there is. */
  private static void stopped(Event event, String sequence, List<Event> told) {
    if (event instanceof Event.Used || event instanceof Event.Ping) {
      told.add(event);
    } else if (event instanceof Event.Stopped) {
      told.add(new Event.Stopped(StopReason.STOP_SEQUENCE, sequence));
    } else if (event instanceof Event.Ended) {
      told.add(event);
    } else if (event instanceof Event.Failed) {
      told.add(new Event.Stopped(StopReason.STOP_SEQUENCE, sequence));
      told.add(new Event.Ended());
    }
  }

  /** Where a sequence stands in a text. */
  private record Match(int at, String sequence) {

    /** The one that is whole first; of several that end there, the longest. */
    static @Nullable Match first(String text, List<String> stops) {
      Match first = null;
      for (String sequence : stops) {
        int at = text.indexOf(sequence);
        if (at >= 0 && (first == null || earlier(at, sequence, first))) {
          first = new Match(at, sequence);
        }
      }
      return first;
    }

    private static boolean earlier(int at, String sequence, Match other) {
      int end = at + sequence.length();
      int otherEnd = other.at + other.sequence.length();
      return end < otherEnd || (end == otherEnd && at < other.at);
    }

    /** How many characters at the end of a text may be the beginning of a sequence. */
    static int begun(String text, List<String> stops) {
      int most = 0;
      for (String sequence : stops) {
        int longest = Math.min(sequence.length() - 1, text.length());
        for (int length = longest; length > most; length--) {
          if (text.regionMatches(text.length() - length, sequence, 0, length)) {
            most = length;
          }
        }
      }
      return most;
    }
  }
}
