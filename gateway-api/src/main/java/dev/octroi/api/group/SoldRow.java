package dev.octroi.api.group;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.read.Read;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Something that is sold: an HTTP method on a path template.
 *
 * @param method in upper case
 * @param path the canonical template, its parameters in braces
 * @param list what it costs where no rule says otherwise; empty where a tariff counts that
 * @param more whether a call that asks for much costs more than the list says, by a tariff
 * @param read the read that it is
 * @param described what is known of a row that is no read; empty for a method of a resource class,
 *     which describes itself by {@code @Sold}
 */
public record SoldRow(
    String method,
    String path,
    Group group,
    Optional<Usd> list,
    boolean more,
    Optional<Read> read,
    Optional<Described> described) {

  /** A row that does not describe itself. */
  public SoldRow(
      String method,
      String path,
      Group group,
      Optional<Usd> list,
      boolean more,
      Optional<Read> read) {
    this(method, path, group, list, more, read, Optional.empty());
  }

  /**
   * What a row says of itself. Its JSON is shared and never changed.
   *
   * @param name letters, digits and underscores; unique in its group
   * @param about one sentence
   * @param input JSON Schema of all arguments
   * @param places where arguments go that go elsewhere than usual ({@link Place})
   * @param example arguments that satisfy the schema
   * @param answers what it answers, as the responses of an operation in OpenAPI 3.1, by status
   * @param listed which line makes the listed price
   * @param tariff what prices its calls; empty where the price is listed
   * @param metered whether the listed price is a ceiling, and the charge known only afterwards
   * @param cost what a call costs the seller; empty where no setting of its own says so
   */
  public record Described(
      String name,
      String about,
      ObjectNode input,
      Map<String, Place> places,
      ObjectNode example,
      ObjectNode answers,
      ListedBy listed,
      Optional<Class<? extends Tariff>> tariff,
      boolean metered,
      Optional<Usd> cost) {

    public Described {
      places = Map.copyOf(places);
    }

    /** Of a route: with a listed price, and perhaps a cost. */
    public Described(
        String name,
        String about,
        ObjectNode input,
        Map<String, Place> places,
        ObjectNode example,
        ObjectNode answers,
        ListedBy listed,
        boolean metered,
        Optional<Usd> cost) {
      this(name, about, input, places, example, answers, listed, Optional.empty(), metered, cost);
    }
  }

  /** Where an argument goes. */
  public enum Place {
    /** A segment of the path: as usual for what the template names. */
    PATH,
    /** A member of a JSON body: as usual for all else, where there is a body. */
    MEMBER,
    /** The query: as usual for all else, where there is no body. */
    QUERY,
    /** Into a header of its name. */
    HEADER,
    /** It is the body. */
    BODY,
    /** What follows the path: any number of segments, none among them. */
    REST
  }

  /**
   * What makes a listed price.
   *
   * @param rule the line, with its place
   * @param version of the settings that it stands in
   * @param since since when it holds; empty for ever
   */
  public record ListedBy(String rule, String version, Optional<Instant> since) {}

  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

  private static final Pattern PARAMETER = Pattern.compile(":([A-Za-z_]+)");

  /** The rows of reads. */
  public static List<SoldRow> ofReads(Group group, Collection<? extends Read> reads) {
    return reads.stream()
        .map(
            read ->
                new SoldRow(
                    "GET",
                    pathOf(group.base(), read),
                    group,
                    Optional.of(Usd.of(read.price())),
                    false,
                    Optional.of(read)))
        .toList();
  }

  /** A method with a body at a listed price, below the base of its group. */
  public static SoldRow post(Group group, String below, String dollars) {
    return post(group, below, dollars, false);
  }

  /** The same where a call that asks for much costs more. */
  public static SoldRow postAtLeast(Group group, String below, String dollars) {
    return post(group, below, dollars, true);
  }

  private static SoldRow post(Group group, String below, String dollars, boolean more) {
    Optional<Usd> list = Optional.of(Usd.parse(dollars));
    return new SoldRow("POST", group.base() + below, group, list, more, Optional.empty());
  }

  /** A method with a body whose price a tariff counts. */
  public static SoldRow counted(Group group, String path) {
    return new SoldRow("POST", path, group, Optional.empty(), false, Optional.empty());
  }

  /** The canonical template of a read below the base of its group. */
  public static String pathOf(String base, Read read) {
    return base + PARAMETER.matcher(read.path()).replaceAll("{$1}");
  }

  /** Whether requests of an HTTP method, in upper case, have a body. */
  public static boolean hasBody(String method) {
    return WITH_BODY.contains(method);
  }

  /** Whether every call costs the same. */
  public boolean isFixed() {
    return list.isPresent() && !more;
  }

  /** How the price book names it: {@code GET/v1/…}. */
  public String word() {
    return method + path;
  }
}
