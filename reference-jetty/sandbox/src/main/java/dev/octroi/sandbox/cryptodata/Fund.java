package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Magic;
import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Locale;

/**
 * A fund of the sandbox's world.
 *
 * @param tier 1 for the foremost
 */
record Fund(String slug, String name, int tier, String type, String jurisdiction) {

  static final List<Fund> ALL =
      Table.rows(
          "funds.txt",
          cells -> new Fund(cells[0], cells[1], Integer.parseInt(cells[2]), cells[3], cells[4]));

  /** The fund of a slug, name or id; a magic value stands for the first one. */
  static Fund of(String text) {
    if (Magic.in(text).isPresent()) {
      return ALL.get(0);
    }
    return ALL.stream()
        .filter(
            fund ->
                fund.slug.equalsIgnoreCase(text)
                    || fund.name.equalsIgnoreCase(text)
                    || fund.id().equals(text))
        .findFirst()
        .orElseThrow(() -> Refusal.notFound("Fund"));
  }

  boolean matches(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    return slug.contains(wanted) || name.toLowerCase(Locale.ROOT).contains(wanted);
  }

  String id() {
    return Seeded.of("fund", slug).uuid();
  }

  String image() {
    return "https://images.example/funds/" + slug + ".png";
  }

  /** What it invested in: the foremost funds in most of the projects. */
  List<Fields> portfolio(long today) {
    return Project.ALL.stream()
        .filter(project -> Seeded.of("invests", slug, project.slug()).chance(0.95 - 0.2 * tier))
        .map(project -> project.investment(Seeded.of("stake", slug, project.slug()), today))
        .toList();
  }

  /** The short form that rankings and searches show. */
  Fields summary(long today) {
    List<Fields> portfolio = portfolio(today);
    return Fields.of("id", id())
        .and("image", image())
        .and("invested_projects_count", portfolio.size())
        .and("name", name)
        .and("tier", tier)
        .and("top_projects", portfolio.stream().limit(3).toList())
        .and("type", type);
  }
}
