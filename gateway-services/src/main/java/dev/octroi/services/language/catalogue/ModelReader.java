package dev.octroi.services.language.catalogue;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Quirk;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one entry of the catalogue's file. */
final class ModelReader {

  private static final int LARGEST_WINDOW = 100_000_000;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:+-]{0,99}");
  private static final Pattern WORD = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
  private static final Pattern WIRE_NAME = Pattern.compile("[\\x21-\\x7e]{1,200}");

  private ModelReader() {}

  static Model read(Members entry) {
    String id = entry.text("id", NAME);
    int window = entry.whole("context_window", 1, LARGEST_WINDOW);
    Model model =
        new Model(
            id,
            entry.text("vendor", WORD),
            entry.texts("aliases", NAME),
            source(entry, id),
            window,
            entry.whole("max_output", 1, window),
            input(entry.words("input", Modality.class)),
            entry.words("abilities", Ability.class),
            entry.object("prices").map(ModelReader::rates).orElse(null),
            entry.word("tokenizer", Tokenizer.class, Tokenizer.BYTES),
            entry.date("released"),
            entry.optionalDate("retired").orElse(null),
            entry.texts("fallbacks", NAME),
            entry.words("tiers", Tier.class));
    if (model.vendor().equals("auto")) {
      entry.problem("vendor", "cannot be the prefix of the routes");
    }
    entry.close();
    return model;
  }

  private static ModelSource source(Members entry, String id) {
    return new ModelSource(
        entry.text("upstream", WORD),
        entry.optionalText("upstream_model", WIRE_NAME).orElse(id),
        entry.word("protocol", Dialect.class, null),
        entry.words("quirks", Quirk.class));
  }

  private static Set<Modality> input(Set<Modality> stated) {
    stated.add(Modality.TEXT);
    return stated;
  }

  private static Rates rates(Members prices) {
    long input = stated(prices, "input");
    long output = stated(prices, "output");
    Long read = prices.micros("cache_read");
    Long write = prices.micros("cache_write");
    prices.close();
    return new Rates(input, output, read == null ? input : read, write == null ? input : write);
  }

  private static long stated(Members prices, String name) {
    @Nullable Long micros = prices.micros(name);
    if (micros == null) {
      prices.problem("", "has no " + name);
      return 0;
    }
    return micros;
  }
}
