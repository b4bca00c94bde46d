package dev.octroi.services.language.translation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Event;
import dev.octroi.services.language.Prompt;
import dev.octroi.services.language.Protocol.Asked;
import dev.octroi.services.language.Protocol.EventReader;
import dev.octroi.services.language.Reply;
import dev.octroi.services.language.ReplyBuilder;
import dev.octroi.services.language.sse.SseParser;
import dev.octroi.services.language.sse.SseParser.SseFrame;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What vendors say, in files, and what stands beside it in every test. */
final class Transcripts {

  static final Instant AT = Instant.ofEpochSecond(1_781_000_000);

  private static final Path WRITTEN =
      Path.of("src/test/resources/dev/octroi/services/language/translation");

  private Transcripts() {}

  static byte[] bytes(Dialect dialect, String name) {
    try (InputStream in = Transcripts.class.getResourceAsStream(path(dialect, name))) {
      return in == null ? new byte[0] : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Dialect dialect, String name) {
    return new String(bytes(dialect, name), UTF_8);
  }

  /** The transcript; with the system property {@code octroi.write} it is written first. */
  static String golden(Dialect dialect, String name, byte[] made) {
    if (!Boolean.getBoolean("octroi.write")) {
      return text(dialect, name);
    }
    try {
      Files.write(WRITTEN.resolve(path(dialect, name)), made);
      return new String(made, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String path(Dialect dialect, String name) {
    return dialect.name().toLowerCase(Locale.ROOT) + "/" + name;
  }

  /** The prompt of the transcripts, asked for some model. */
  static Asked asked(Dialect dialect) {
    Prompt prompt = Protocols.of(dialect).readPrompt(bytes(dialect, "prompt.json"));
    return new Asked(prompt, "some-model", AT);
  }

  static List<Event> events(Dialect dialect, byte[] stream) {
    EventReader reader = Protocols.of(dialect).eventReader();
    List<Event> events = new ArrayList<>();
    for (SseFrame frame : new SseParser().feed(stream)) {
      events.addAll(reader.read(frame));
    }
    events.addAll(reader.end());
    return events;
  }

  static Reply whole(List<Event> events) {
    ReplyBuilder builder = new ReplyBuilder();
    events.forEach(event -> event.accept(builder));
    return builder.reply();
  }
}
