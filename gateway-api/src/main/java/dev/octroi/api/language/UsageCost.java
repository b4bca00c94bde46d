package dev.octroi.api.language;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Usd;
import dev.octroi.services.language.LanguageJson;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells the caller in an answer's {@code usage} what the call is charged: {@code cost}, in dollars.
 * What the vendor charges the seller is taken out, because it concerns no caller.
 */
final class UsageCost {

  private static final String USAGE = "usage";
  private static final String DATA = "data:";
  private static final List<String> VENDORS = List.of("cost", "cost_details", "is_byok");

  private UsageCost() {}

  /**
   * A whole answer, or the data of an event.
   *
   * @param cost empty for a free model
   * @return the same array where it has no usage
   */
  static byte[] into(byte[] json, Optional<Usd> cost) {
    JsonNode tree = LanguageJson.tree(json);
    JsonNode usage = tree.path(USAGE).isObject() ? tree.path(USAGE) : tree.at("/response/usage");
    if (!(usage instanceof ObjectNode members)) {
      return json;
    }
    members.remove(VENDORS);
    BigDecimal dollars = cost.map(Usd::dollars).map(BigDecimal::new).orElse(BigDecimal.ZERO);
    members.set("cost", DecimalNode.valueOf(dollars));
    return LanguageJson.bytes(tree);
  }

  /**
   * A stream that is written in whole events.
   *
   * @param cost what the call is charged by the time that an event is written
   */
  static OutputStream events(OutputStream out, Supplier<Optional<Usd>> cost) {
    return new Events(out, cost);
  }

  private static final class Events extends FilterOutputStream {

    private final Supplier<Optional<Usd>> cost;

    Events(OutputStream out, Supplier<Optional<Usd>> cost) {
      super(out);
      this.cost = cost;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      // One character a byte: what is no usage leaves as it came, whatever its encoding.
      String events = new String(bytes, offset, length, ISO_8859_1);
      if (!events.contains("\"" + USAGE + "\"")) {
        out.write(bytes, offset, length);
        return;
      }
      StringBuilder told = new StringBuilder(length + 32);
      for (String line : events.split("(?<=\n)")) {
        told.append(line.startsWith(DATA) ? told(line) : line);
      }
      out.write(told.toString().getBytes(ISO_8859_1));
    }

    private String told(String line) {
      String text = line.stripTrailing();
      byte[] data = text.substring(DATA.length()).getBytes(ISO_8859_1);
      byte[] with = into(data, cost.get());
      return data == with
          ? line
          : DATA + " " + new String(with, ISO_8859_1) + line.substring(text.length());
    }
  }
}
