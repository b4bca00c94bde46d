package dev.octroi.api.catalogue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation.PathTemplate;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.SoldRow.Described;
import dev.octroi.api.group.SoldRow.ListedBy;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.servlet.PathPrices;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a host serves and sells by itself, as a group: price book, description, discovery, tools,
 * figures and console have it like a built-in group's. Immutable, thread-safe.
 */
public final class HostGroup implements Group {

  /** Stands for any number of segments. */
  private static final String REST = "path";

  private final Profile profile;
  private final List<Class<?>> resources;
  private final List<SoldRow> rows;

  /**
   * Something that is sold.
   *
   * @param template its path, parameters in braces
   * @param list what it always costs; empty where a tariff counts that
   * @param listedBy what says so, for people
   * @param tariff what counts it; empty where it always costs the same
   */
  record Goods(
      String method,
      String template,
      Optional<Usd> list,
      String about,
      ObjectNode input,
      Map<String, Place> places,
      ObjectNode example,
      String listedBy,
      Optional<Class<? extends Tariff>> tariff) {}

  private HostGroup(String word, String title, List<Class<?>> resources, List<Goods> goods) {
    if (goods.isEmpty()) {
      throw new IllegalArgumentException("nothing of the group " + word + " is paid for");
    }
    this.resources = List.copyOf(resources);
    this.profile = new Profile(word, title, title + ".", ErrorShape.FLAT, bases(goods), List.of());
    this.rows = goods.stream().map(this::row).toList();
  }

  /**
   * The paid methods of resource classes. {@link Sold} says what a method does; what it does not
   * say is read from the signature.
   *
   * @param word what settings and keys call it: lower-case letters and digits
   * @param title the name for people
   * @param resources classes with {@code @Path}; what of them is {@code @Paid} is sold
   * @throws IllegalArgumentException if nothing of them is paid, or a path begins with no word
   */
  public static HostGroup of(String word, String title, Class<?>... resources) {
    return new HostGroup(word, title, List.of(resources), PaidMethods.of(title, resources));
  }

  /**
   * What a filter sells at paths. A price for any method is listed for GET; endings such as {@code
   * *.pdf} are no paths, and are not listed.
   *
   * @param prices the ones that the filter has
   * @throws IllegalArgumentException as the other one does
   */
  public static HostGroup of(String word, String title, PathPrices prices) {
    return new HostGroup(
        word,
        title,
        List.of(),
        prices.priced().stream()
            .filter(priced -> priced.pattern().startsWith("/"))
            .map(priced -> goods(title, priced))
            .toList());
  }

  private static Goods goods(String title, PathPrices.Priced priced) {
    boolean folder = priced.pattern().endsWith("/*");
    ObjectNode input = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = input.putObject("properties");
    if (folder) {
      properties
          .putObject(REST)
          .put("type", "string")
          .put("description", "What follows in the path: one segment or several.");
    }
    input.put("additionalProperties", true);
    String method = priced.method().orElse("GET");
    return new Goods(
        method,
        folder ? priced.pattern().replaceFirst("\\*$", "{" + REST + "}") : priced.pattern(),
        priced.price(),
        title + ": " + method + " " + priced.pattern() + ".",
        input,
        folder ? Map.of(REST, Place.REST) : Map.of(),
        JsonNodeFactory.instance.objectNode(),
        "PathPrices " + priced.pattern(),
        Optional.empty());
  }

  /** What stands before the first parameter, and lies in none of the others. */
  private static List<String> bases(List<Goods> goods) {
    List<String> literal =
        goods.stream()
            .map(one -> one.template().replaceFirst("/[^/]*\\{.*", ""))
            .distinct()
            .sorted()
            .toList();
    List<String> bases = new ArrayList<>();
    for (String base : literal) {
      if (base.isEmpty() || base.equals("/")) {
        throw new IllegalArgumentException(
            "a path that is sold begins with a word, so that it is told apart from others: not "
                + goods.stream().map(Goods::template).toList());
      }
      if (bases.stream().noneMatch(other -> base.startsWith(other + "/"))) {
        bases.add(base);
      }
    }
    return bases;
  }

  private SoldRow row(Goods goods) {
    return new SoldRow(
        goods.method(),
        goods.template(),
        this,
        goods.list(),
        false,
        Optional.empty(),
        Optional.of(
            new Described(
                name(goods),
                goods.about(),
                goods.input(),
                goods.places(),
                goods.example(),
                JsonNodeFactory.instance.objectNode(),
                new ListedBy(goods.listedBy(), "first", Optional.empty()),
                goods.tariff(),
                false,
                Optional.empty())));
  }

  private String name(Goods goods) {
    String name =
        goods.method().toLowerCase(Locale.ROOT) + "_" + PathTemplate.word(goods.template());
    return name.substring(0, Math.min(name.length(), Operation.LONGEST_NAME - word().length() - 1));
  }

  @Override
  public Profile profile() {
    return profile;
  }

  /** The host serves it whatever the settings say. */
  @Override
  public boolean isChosen() {
    return false;
  }

  @Override
  public List<Class<?>> resources() {
    return resources;
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Rows(rows);
  }

  /** The same under any settings. */
  private record Rows(List<SoldRow> rows) implements ConfiguredGroup {

    @Override
    public OpenGroup open(GroupContext context) {
      return OpenGroup.of()
          .with(
              rows.stream()
                  .flatMap(row -> row.described().flatMap(Described::tariff).stream())
                  .distinct()
                  .flatMap(tariff -> made(tariff).stream())
                  .toArray(Tariff[]::new));
    }

    /** One that cannot be made so is refused, in a sentence, when its method is deployed. */
    private static Optional<Tariff> made(Class<? extends Tariff> tariff) {
      try {
        return Optional.of(tariff.getConstructor().newInstance());
      } catch (ReflectiveOperationException e) {
        return Optional.empty();
      }
    }
  }
}
