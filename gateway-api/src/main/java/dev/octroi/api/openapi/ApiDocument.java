package dev.octroi.api.openapi;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Catalogue;
import dev.octroi.api.group.ConfiguredGroups;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.price.PriceBook;
import dev.octroi.api.price.PriceBook.RowPrice;
import dev.octroi.payments.Sha256;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.read.Read;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.SpecVersion;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.servers.Server;
import io.swagger.v3.oas.models.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The description of everything that is served (OpenAPI 3.1), made when it is first asked for and
 * again when a price has changed. Thread-safe.
 */
public final class ApiDocument {

  private static final String VERSION = "3.1.1";

  private final List<Class<?>> resources;
  private final PriceBook prices;
  private final Catalogue catalogue;
  private final ConfiguredGroups groups;
  private final Frontispiece front;
  private @Nullable List<RowPrice> pricesOfLatest;
  private String latest = "";
  private @Nullable Edition current;

  /**
   * @param resources the resource classes of the application
   */
  public ApiDocument(
      Collection<Class<?>> resources,
      PriceBook prices,
      Catalogue catalogue,
      ConfiguredGroups groups,
      Frontispiece front) {
    this.resources = List.copyOf(resources);
    this.prices = prices;
    this.catalogue = catalogue;
    this.groups = groups;
    this.front = front;
  }

  /**
   * What is in force at this moment.
   *
   * @param base the address of the application as the caller knows it, without a slash at its end
   */
  public synchronized Edition edition(String base) {
    List<RowPrice> now = prices.rows();
    if (!now.equals(pricesOfLatest)) {
      latest = new String(OpenApiJson.bytes(written(now)), StandardCharsets.UTF_8);
      pricesOfLatest = List.copyOf(now);
      current = null;
    }
    Edition known = current;
    if (known == null || !known.base().equals(base)) {
      known = Edition.of(base, front.at(base, latest).getBytes(StandardCharsets.UTF_8));
      current = known;
    }
    return known;
  }

  private ObjectNode written(List<RowPrice> now) {
    ErrorResponses errors = new ErrorResponses();
    Operations operations =
        new Operations(
            now.stream()
                .collect(
                    Collectors.toMap(
                        row -> row.row().method() + row.row().path(), Function.identity())),
            catalogue,
            groups.groups(),
            errors);
    Paths paths = new Paths();
    Set<Chapter> used = new HashSet<>();
    for (Route route : Route.all(resources)) {
      if (isTold(route)) {
        used.add(operations.chapter(route.path()));
        add(paths, route, operations);
      }
    }
    for (RowPrice row : now) {
      if (row.row().described().isPresent() && groups.lists(row.row())) {
        used.add(Chapter.of(row.row().group()));
        PathItem item = put(paths, row.row().path(), row.row().method(), operations.of(row));
        front.serverOf(row.row().group()).map(List::of).ifPresent(item::setServers);
      }
    }
    Stream<Chapter> chapters =
        Stream.concat(groups.listed().stream().map(Chapter::of), Chapter.OWN.stream())
            .filter(used::contains);
    OpenAPI document =
        new OpenAPI(SpecVersion.V31)
            .openapi(VERSION)
            .info(front.info())
            .servers(front.servers())
            .tags(chapters.map(ApiDocument::tag).toList())
            .paths(paths)
            .components(
                new Components().responses(errors.written()).securitySchemes(Security.schemes()));
    ObjectNode tree = OpenApiJson.tree(document);
    ObjectNode schemas = schemas();
    Answers.add(schemas, tree.toString());
    tree.withObjectProperty("components").set("schemas", schemas);
    OpenApiJson.opened(tree);
    return tree;
  }

  /** What is not sold is not told of. */
  private boolean isTold(Route route) {
    Optional<Group> group = groups.groups().of(route.path());
    return group.isEmpty()
        || (groups.listed().contains(group.get())
            && prices.sold(route.verb(), route.path()).filter(row -> !groups.lists(row)).isEmpty());
  }

  /** Those that are written, and those of what is sold. */
  private ObjectNode schemas() {
    ObjectNode schemas = OpenApiJson.resource("schemas.json");
    catalogue.operations().stream()
        .filter(sold -> groups.lists(sold.row()))
        .forEach(
            sold -> sold.bodySchema().ifPresent(body -> schemas.set(Bodies.schema(sold), body)));
    return schemas;
  }

  private void add(Paths paths, Route route, Operations operations) {
    Class<? extends Read> table = route.described().map(Described::rows).orElse(Read.class);
    Read[] rows = table.getEnumConstants();
    if (rows == null) {
      put(paths, route.path(), route.verb(), operations.of(route));
      return;
    }
    String base = route.path().substring(0, route.path().indexOf("/{"));
    for (Read row : rows) {
      String path = SoldRow.pathOf(base, row);
      boolean told = prices.sold(route.verb(), path).filter(groups::lists).isPresent();
      put(
          paths,
          path,
          route.verb(),
          told ? operations.of(route, row, path) : operations.notOffered(route, row, path));
    }
  }

  private static PathItem put(Paths paths, String path, String verb, Operation operation) {
    PathItem item = paths.computeIfAbsent(path, absent -> new PathItem());
    item.operation(PathItem.HttpMethod.valueOf(verb), operation);
    return item;
  }

  private static Tag tag(Chapter chapter) {
    return new Tag().name(chapter.title()).description(chapter.about());
  }

  /**
   * The description as it is sent.
   *
   * @param base the address of the application that its addresses begin with
   * @param bytes JSON
   * @param tag the strong entity tag, without quotes
   */
  public record Edition(String base, byte[] bytes, String tag) {

    private static final int TAG_BYTES = 16;

    static Edition of(String base, byte[] bytes) {
      return new Edition(base, bytes, HexFormat.of().formatHex(Sha256.of(bytes), 0, TAG_BYTES));
    }
  }

  /**
   * A chapter of the description: a group's, or one of the gateway's own.
   *
   * @param word names it in the names of what belongs to it
   * @param group empty for the gateway's own
   */
  record Chapter(String word, String title, String about, Optional<Group> group) {

    private static final Chapter ACCOUNT =
        own("account", "Account", "What was bought, and an API key's own wallet and limits. Free.");
    private static final Chapter FILES =
        own("files", "Files", "What answers link to, for any caller that knows the address. Free.");
    private static final Chapter GATEWAY =
        own("gateway", "Gateway", "What this is, and its description. Free.");
    private static final Chapter FACILITATOR =
        own("facilitator", "Facilitator", "The x402 facilitator interface, for other servers.");
    private static final Chapter OPERATOR =
        own("operator", "Operator", "For the operator's token only.");

    /** The gateway's own, in their order after those of groups. */
    static final List<Chapter> OWN = List.of(ACCOUNT, FILES, GATEWAY, FACILITATOR, OPERATOR);

    private static final Set<ErrorCode> ALWAYS =
        EnumSet.of(
            ErrorCode.INVALID_PARAMS,
            ErrorCode.RATE_LIMITED,
            ErrorCode.INTERNAL,
            ErrorCode.UPSTREAM_FAILED,
            ErrorCode.UPSTREAM_UNAVAILABLE);

    private static Chapter own(String word, String title, String about) {
      return new Chapter(word, title, about, Optional.empty());
    }

    static Chapter of(Group group) {
      return new Chapter(group.word(), group.title(), group.profile().about(), Optional.of(group));
    }

    /** The gateway's own chapter of a path. */
    static Chapter own(String path) {
      if (path.startsWith("/admin/")) {
        return OPERATOR;
      }
      if (path.startsWith("/facilitator/")) {
        return FACILITATOR;
      }
      if (path.startsWith("/v1/assets/")) {
        return FILES;
      }
      return path.startsWith("/v1/") && !path.startsWith("/v1/webhooks") ? ACCOUNT : GATEWAY;
    }

    /** The codes of a status that calls of this chapter may be answered with. */
    List<ErrorCode> codes(int status) {
      List<ErrorCode> own = group.map(one -> one.profile().codes()).orElse(List.of());
      return Arrays.stream(ErrorCode.values())
          .filter(code -> code.status() == status)
          .filter(code -> own.contains(code) || (group.isPresent() && ALWAYS.contains(code)))
          .toList();
    }
  }

  /**
   * What the description says of the whole.
   *
   * @param sandbox whether the money is worthless
   * @param ownPrefix below which the gateway's own paths lie, the address's end; or empty
   */
  public record Frontispiece(boolean sandbox, String ownPrefix) {

    /** Stands for the address until a caller's is known. */
    private static final String ROOT = "urn:octroi:root";

    private static final String ABOUT =
        """
      A pay-per-call gateway. Ask, and the answer is **402** with a price and the ways to pay (x402); \
      sign one of them and ask again with `PAYMENT-SIGNATURE`. Or send an API key, whose wallet the \
      gateway keeps. What is not answered with success is not charged, and the same payment may be \
      sent again.

      * Paths are also served below `/api/v1`; prediction markets also at `/v1/prediction`.
      * The charge is `price.amount` of a JSON object answer, and `X-Price-Amount` of every paid answer.
      * An unpaid call gets its 402 before its parameters are looked at, unless they decide the price.
      * HEAD on a paid path is 405 and never charged.
      """;

    private static final String SANDBOX =
        "\nThis is a **sandbox**: upstreams are made up and the money is worthless.\n";

    Info info() {
      String version = Frontispiece.class.getPackage().getImplementationVersion();
      return new Info()
          .title("Octroi")
          .version(version == null ? "development" : version)
          .description(sandbox ? ABOUT + SANDBOX : ABOUT)
          .license(new License().name("Apache-2.0").identifier("Apache-2.0"));
    }

    List<Server> servers() {
      return List.of(new Server().url(ROOT + ownPrefix));
    }

    /** The server of a group that lies beside the gateway's own paths; empty for all others. */
    Optional<Server> serverOf(Group group) {
      String own = ROOT + ownPrefix;
      String there = group.address(own);
      return there.equals(own) ? Optional.empty() : Optional.of(new Server().url(there));
    }

    /**
     * A document for those who know the application by an address.
     *
     * @param base the address, without a slash at its end
     */
    String at(String base, String document) {
      String root =
          base.endsWith(ownPrefix) ? base.substring(0, base.length() - ownPrefix.length()) : base;
      return document.replace(
          ROOT, new String(JsonStringEncoder.getInstance().quoteAsString(root)));
    }
  }
}
