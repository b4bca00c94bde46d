package dev.octroi.services.language.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.Prompt.Citation;
import dev.octroi.services.language.Prompt.Part;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventWriter;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.Reply.StopReason;
import dev.octroi.services.language.Reply.Usage;
import dev.octroi.services.language.Seal;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every answer through every pair of protocols, whole and streamed: what can be said arrives. */
@Tag("spec:language.translation.matrix")
class ReplyMatrixTest {

  private static final Usage USAGE = new Usage(11, 7, 5, 0, 0);

  private static final Map<String, Reply> REPLIES = replies();

  private static Map<String, Reply> replies() {
    Map<String, Reply> replies = new LinkedHashMap<>();
    replies.put("text", reply(StopReason.END_TURN, Part.text("Grüezi 👋 \"you\"\n\ttwo lines")));
    replies.put("one tool", reply(StopReason.TOOL_USE, tool("call_1", "{\"a\":[1,2.50]}")));
    replies.put("tool without arguments", reply(StopReason.TOOL_USE, tool("call_1", "")));
    replies.put(
        "parallel tools",
        reply(
            StopReason.TOOL_USE,
            Part.text("Both."),
            tool("call_1", "{\"a\":1}"),
            tool("call_2", "{\"a\":\"2\"}")));
    replies.put(
        "thinking",
        reply(
            StopReason.END_TURN,
            new Part.Thinking("Let me see.", new Seal(Seal.Kind.SIGNATURE, "", "c2ln")),
            Part.text("Seen.")));
    replies.put(
        "encrypted thinking",
        reply(
            StopReason.TOOL_USE,
            new Part.Thinking("A summary.", new Seal(Seal.Kind.ENCRYPTED, "rs_7", "gAAA=")),
            tool("call_1", "{\"a\":1}")));
    replies.put("cut off", reply(StopReason.MAX_TOKENS, Part.text("And so")));
    replies.put("filtered", reply(StopReason.REFUSAL, Part.text("I can")));
    replies.put("cited", reply(StopReason.END_TURN, cited("As it is written [1].")));
    return replies;
  }

  static Stream<Arguments> matrix() {
    List<Arguments> all = new ArrayList<>();
    for (Dialect upstream : Dialect.values()) {
      for (Dialect caller : Dialect.values()) {
        REPLIES.keySet().forEach(name -> all.add(Arguments.of(upstream, caller, name)));
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{2}: {0} to {1}")
  @MethodSource("matrix")
  void aWholeAnswerArrives(Dialect upstream, Dialect caller, String name) {
    Reply reply = REPLIES.get(name);
    byte[] said = Protocols.of(upstream).writeReply(reply, asked(upstream));

    byte[] heard = new Translation(caller, upstream).reply(said, asked(caller), List.of()).body();

    assertArrived(reply, Protocols.of(caller).readReply(heard), upstream, caller);
  }

  @ParameterizedTest(name = "{2}: {0} to {1}")
  @MethodSource("matrix")
  void aStreamedAnswerArrives(Dialect upstream, Dialect caller, String name) {
    Reply reply = REPLIES.get(name);
    byte[] said = stream(upstream, reply);
    StreamTranslation translation =
        new Translation(caller, upstream).stream(asked(caller), List.of(), event -> {});

    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    heard.writeBytes(translation.feed(said, 0, said.length));
    heard.writeBytes(translation.end());

    Reply arrived = Transcripts.whole(Transcripts.events(caller, heard.toByteArray()));
    assertArrived(reply, arrived, upstream, caller);
  }

  private static byte[] stream(Dialect dialect, Reply reply) {
    EventWriter writer = Protocols.of(dialect).eventWriter(asked(dialect));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Event event : Telling.of(reply)) {
      out.writeBytes(writer.write(event));
    }
    return out.toByteArray();
  }

  private static void assertArrived(Reply sent, Reply arrived, Dialect upstream, Dialect caller) {
    assertThat(arrived.stop()).isEqualTo(sent.stop());
    assertThat(arrived.usage()).isEqualTo(sent.usage());
    assertThat(arrived.id()).endsWith("42");
    assertThat(arrived.parts()).hasSameSizeAs(sent.parts());
    for (int i = 0; i < sent.parts().size(); i++) {
      assertThat(comparable(arrived.parts().get(i), upstream, caller))
          .isEqualTo(comparable(sent.parts().get(i), upstream, caller));
    }
  }

  /** What no pair with this protocol in it can carry is left out of the comparison. */
  private static Part comparable(Part part, Dialect upstream, Dialect caller) {
    boolean chat = upstream == Dialect.CHAT || caller == Dialect.CHAT;
    if (part instanceof Part.Thinking thinking && chat) {
      return new Part.Thinking(thinking.text(), null);
    }
    if (part instanceof Part.Thinking thinking
        && thinking.seal() != null
        && thinking.seal().kind() == Seal.Kind.ENCRYPTED) {
      return new Part.Thinking(
          thinking.text(), new Seal(Seal.Kind.ENCRYPTED, "", thinking.seal().value()));
    }
    if (part instanceof Part.Text text) {
      List<Citation> citations =
          text.citations().stream().map(c -> new Citation(c.url(), c.title(), "", 0, 0)).toList();
      return new Part.Text(text.text(), citations, null);
    }
    if (part instanceof Part.ToolUse use && use.arguments().equals("{}")) {
      return new Part.ToolUse(use.id(), use.name(), "", null);
    }
    return part;
  }

  private static Asked asked(Dialect dialect) {
    return Transcripts.asked(dialect);
  }

  private static Reply reply(StopReason stop, Part... parts) {
    return new Reply("42", "some-model", List.of(parts), stop, null, USAGE);
  }

  private static Part tool(String id, String arguments) {
    return new Part.ToolUse(id, "weather", arguments, null);
  }

  private static Part cited(String text) {
    Citation citation = new Citation("https://example.org/a", "A page", "", 3, 20);
    return new Part.Text(text, List.of(citation), null);
  }
}
