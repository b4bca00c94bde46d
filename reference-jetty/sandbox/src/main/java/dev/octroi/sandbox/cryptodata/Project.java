package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Magic;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Locale;

/**
 * A project of the sandbox's world.
 *
 * @param tvl value locked in USD around which it moves; 0 for a project without
 */
record Project(
    String slug,
    String name,
    String symbol,
    List<String> tags,
    List<String> chains,
    double tvl,
    String handle,
    String description) {

  static final List<Project> ALL =
      Table.rows(
          "projects.txt",
          cells ->
              new Project(
                  cells[0],
                  cells[1],
                  cells[2],
                  Table.words(cells[3]),
                  Table.words(cells[4]),
                  Double.parseDouble(cells[5]),
                  cells[6],
                  cells[7]));

  static final List<Project> DEFI = ALL.stream().filter(project -> project.tvl > 0).toList();

  /** The project of a slug, name, symbol, handle or id; a magic value stands for the first one. */
  static Project of(String text) {
    if (Magic.in(text).isPresent()) {
      return ALL.get(0);
    }
    return ALL.stream()
        .filter(project -> project.is(text))
        .findFirst()
        .orElseThrow(() -> Refusal.notFound("Project"));
  }

  private boolean is(String text) {
    return slug.equalsIgnoreCase(text)
        || name.equalsIgnoreCase(text)
        || symbol.equalsIgnoreCase(text)
        || handle.equalsIgnoreCase(text)
        || id().equals(text);
  }

  /** Whether a search for a text finds it. */
  boolean matches(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    return slug.contains(wanted)
        || symbol.equalsIgnoreCase(text)
        || tags.contains(wanted)
        || description.toLowerCase(Locale.ROOT).contains(wanted);
  }

  String id() {
    return Seeded.of("project", slug).uuid();
  }

  String website() {
    return "https://" + slug + ".example";
  }

  String logo() {
    return "https://images.example/projects/" + slug + ".png";
  }

  Token token() {
    return Token.of(symbol);
  }

  /** The round in which a fund took part, as funds list it. */
  Fields investment(Seeded seeded, long now) {
    double total = Seeded.of("raised", slug).skewed(4e6, 3e8, 0);
    return Fields.of("invested_at", now - seeded.whole(90, 2_000) * Spans.DAY)
        .and("is_lead", seeded.chance(0.3))
        .and("project_id", id())
        .and("project_logo", logo())
        .and("project_name", name)
        .and("project_slug", slug)
        .and("recent_raise", Math.floor(total * 0.4))
        .and("total_raise", total);
  }
}
