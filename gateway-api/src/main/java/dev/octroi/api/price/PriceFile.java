package dev.octroi.api.price;

import dev.octroi.api.group.Group;
import dev.octroi.api.price.PriceBook.PriceRule;
import dev.octroi.api.price.PriceBook.PriceVersion;
import dev.octroi.api.settings.Given;
import dev.octroi.api.settings.PropertiesFile;
import dev.octroi.api.settings.Words;
import dev.octroi.payments.Usd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the price book's file and finds everything that is wrong with it at once. One instance
 * reads once. The form is documented in {@code docs/prices.md}.
 */
final class PriceFile {

  /** Far above any book written by hand, far below what a mistaken path could fill memory with. */
  private static final long MAX_BYTES = 1 << 20;

  private static final int MAX_VERSIONS = 64;
  private static final int MAX_PRICES = 10_000;

  /** A thousand dollars: above any call, below what a forgotten point makes of a price. */
  private static final Usd DEAREST = Usd.parse("1000");

  private static final String NO_PRICE = "list";
  private static final String WORD = "[A-Za-z0-9_-]{1,64}";
  private static final Pattern KEY =
      Pattern.compile(
          "(?:version\\.(?<version>"
              + WORD
              + ")\\.)?(?:(?<from>from)|(?:key\\.(?<key>"
              + WORD
              + ")\\.)?(?:group\\.(?<group>[a-z][a-z0-9]{0,63})|row\\.(?<row>[A-Z]+/.{1,500})))");

  private final SoldRows rows;
  private final List<String> problems = new ArrayList<>();
  private final Map<String, Draft> drafts = new LinkedHashMap<>();

  /** A version as the file spells it: a rule without price goes back to the list. */
  private static final class Draft {

    private final Map<PriceRule, Optional<Usd>> prices = new HashMap<>();
    private @Nullable Instant from;
  }

  /**
   * What a file says.
   *
   * @param versions in the order of time, the first one from ever; complete if there is no problem
   * @param problems one line each, with its place
   */
  record Read(List<PriceVersion> versions, List<String> problems) {}

  private PriceFile(SoldRows rows) {
    this.rows = rows;
  }

  static Read read(Path file, SoldRows rows) {
    PriceFile reader = new PriceFile(rows);
    if (!reader.fits(file)) {
      return new Read(List.of(), reader.problems);
    }
    PropertiesFile given = PropertiesFile.read(file);
    reader.problems.addAll(given.problems());
    if (given.values().size() > MAX_PRICES) {
      reader.problems.add(file + " has more than " + MAX_PRICES + " lines");
    } else {
      given.values().forEach(reader::line);
    }
    return new Read(reader.versions(), reader.problems);
  }

  /**
   * Reads lines that have no versions: those of changes, which hold when their change does.
   *
   * @param problems takes what is wrong with them, one sentence each
   */
  static Map<PriceRule, Optional<Usd>> lines(
      List<Given> lines, SoldRows rows, Collection<String> problems) {
    PriceFile reader = new PriceFile(rows);
    lines.forEach(reader::line);
    if (reader.drafts.keySet().stream().anyMatch(name -> !name.equals(PriceVersion.FIRST))) {
      reader.problems.add("a change is a version by itself: version.… stands in the file alone");
    }
    problems.addAll(reader.problems);
    Draft draft = reader.drafts.get(PriceVersion.FIRST);
    return draft == null ? Map.of() : draft.prices;
  }

  private boolean fits(Path file) {
    try {
      if (Files.size(file) <= MAX_BYTES) {
        return true;
      }
      problems.add("the price book " + file + " is larger than 1 MiB");
    } catch (IOException e) {
      problems.add("the price book " + file + " cannot be read");
    }
    return false;
  }

  private void line(Given line) {
    Matcher form = KEY.matcher(line.name());
    if (!form.matches()) {
      complain(
          line,
          "a line is version.<name>.from, group.<group> or row.<METHOD><path>, the last two also"
              + " after key.<id>. and version.<name>.");
      return;
    }
    String version = form.group("version");
    Draft draft =
        drafts.computeIfAbsent(version == null ? PriceVersion.FIRST : version, n -> new Draft());
    if (form.group("from") != null) {
      time(line, version, draft);
    } else {
      rule(line, form).ifPresent(rule -> price(line, rule, draft));
    }
  }

  private void time(Given line, @Nullable String version, Draft draft) {
    if (version == null) {
      complain(line, "what stands without a version holds from ever");
      return;
    }
    try {
      draft.from = Instant.parse(line.value());
    } catch (DateTimeException e) {
      complain(line, "'" + line.value() + "' is no time such as 2026-12-01T00:00:00Z");
    }
  }

  private Optional<PriceRule> rule(Given line, Matcher form) {
    String key = form.group("key");
    String row = form.group("row");
    if (row != null) {
      if (rows.named(row).isPresent()) {
        return Optional.of(new PriceRule(key, row, null));
      }
      complain(line, "no such row is sold" + meant(row, rows.words()));
      return Optional.empty();
    }
    List<String> words = rows.groups().stream().map(Group::word).toList();
    int at = words.indexOf(form.group("group"));
    if (at < 0) {
      complain(line, "no such group is sold" + meant(form.group("group"), words));
      return Optional.empty();
    }
    return Optional.of(new PriceRule(key, null, words.get(at)));
  }

  private static String meant(String word, List<String> words) {
    return Words.closest(word, words).map(one -> "; did you mean " + one + "?").orElse("");
  }

  private void price(Given line, PriceRule rule, Draft draft) {
    try {
      Optional<Usd> price =
          line.value().toLowerCase(Locale.ROOT).equals(NO_PRICE)
              ? Optional.empty()
              : Optional.of(Usd.parse(line.value()));
      if (price.filter(usd -> usd.compareTo(DEAREST) > 0).isPresent()) {
        complain(line, "a price is at most " + DEAREST.dollars());
      }
      draft.prices.put(rule, price);
    } catch (IllegalArgumentException e) {
      complain(line, e.getMessage() + "; or 'list' for the listed price");
    }
  }

  private void complain(Given line, String what) {
    problems.add(line.place() + " " + line.name() + ": " + what);
  }

  /** Each version with what still holds of those before it. */
  private List<PriceVersion> versions() {
    Draft first = drafts.remove(PriceVersion.FIRST);
    drafts.forEach(
        (name, draft) -> {
          if (draft.from == null) {
            problems.add("version." + name + ".from is missing: from when on do its prices hold?");
          }
        });
    if (drafts.size() > MAX_VERSIONS) {
      problems.add("a price book has at most " + MAX_VERSIONS + " versions");
    }
    if (!problems.isEmpty()) {
      return List.of();
    }
    List<PriceVersion> versions = new ArrayList<>();
    versions.add(first == null ? PriceVersion.listed() : PriceVersion.listed().with(first.prices));
    drafts.entrySet().stream()
        .sorted(Comparator.comparing(draft -> from(draft.getValue())))
        .forEach(draft -> add(versions, draft.getKey(), draft.getValue()));
    return versions;
  }

  private void add(List<PriceVersion> versions, String name, Draft draft) {
    PriceVersion before = versions.get(versions.size() - 1);
    if (before.from().equals(from(draft))) {
      problems.add("version." + name + " and version." + before.name() + " begin at one moment");
    }
    versions.add(before.with(draft.prices).named(name, from(draft)));
  }

  private static Instant from(Draft draft) {
    return draft.from == null ? Instant.MIN : draft.from;
  }
}
