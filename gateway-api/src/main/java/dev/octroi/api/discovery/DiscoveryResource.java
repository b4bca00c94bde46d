package dev.octroi.api.discovery;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.asset.BaseAddress;
import dev.octroi.api.asset.BaseAddress.Linking;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.api.discovery.Storefront.PricedOperation;
import dev.octroi.api.house.HouseJson;
import dev.octroi.api.house.Mounted;
import dev.octroi.api.house.Query;
import dev.octroi.api.house.Refused;
import dev.octroi.api.limit.CountedCalls.Counted;
import dev.octroi.api.openapi.Described;
import dev.octroi.api.settings.GatewaySettings.DiscoverySettings;
import dev.octroi.payments.Free;
import dev.octroi.payments.x402.PaymentRequirements;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.Providers;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** What can be bought, page by page, as the protocol's facilitators list it (x402, discovery). */
@Path("/discovery/resources")
@Counted
public class DiscoveryResource {

  private static final int VERSION = 2;

  /** The protocol's own number. */
  private static final int PAGE = 20;

  private static final int MOST_SKIPPED = 1_000_000;

  private final DiscoveryServices services;

  public DiscoveryResource(@Context Providers providers) {
    this(DiscoveryServices.of(providers));
  }

  DiscoveryResource(DiscoveryServices services) {
    this.services = services;
  }

  record Resources(
      @JsonProperty("x402Version") int version, List<Item> items, Pagination pagination) {}

  record Pagination(int limit, int offset, int total) {}

  record Item(
      String resource,
      String type,
      @JsonProperty("x402Version") int version,
      List<PaymentRequirements> accepts,
      Instant lastUpdated,
      String description,
      String mimeType,
      String serviceName,
      List<String> tags,
      Map<String, Object> extensions) {}

  /** A listing in one of the forms in which it can be called. */
  private record Offered(PricedOperation listing, CallForm form) {}

  @GET
  @Linking
  @Free
  @Produces(MediaType.APPLICATION_JSON)
  @Described(
      value = "What can be bought",
      query = {
        "type: `http` or `mcp`",
        "payTo: the address that is paid",
        "scheme: the scheme of payment, such as `exact`",
        "network: the network, such as `eip155:8453`",
        "extensions: `bazaar`",
        "limit: items of a page, 1 to 100; 20 unless said",
        "offset: how many items are skipped"
      })
  public Response resources(@Context UriInfo uri, @HeaderParam(BaseAddress.HEADER) String base) {
    services.requireOpen();
    Query query = new Query(uri);
    int limit = query.limit(PAGE);
    int offset = query.whole("offset", 0, MOST_SKIPPED).orElse(0);
    List<Offered> wanted = wanted(query);
    List<Item> items =
        wanted.stream().skip(offset).limit(limit).map(offered -> item(offered, base)).toList();
    return DiscoveryServices.uncached(
        HouseJson.of(new Resources(VERSION, items, new Pagination(limit, offset, wanted.size()))));
  }

  /** What fits, first by HTTP, then as tools. */
  private List<Offered> wanted(Query query) {
    Optional<String> type = query.text("type");
    List<PricedOperation> fitting =
        services.storefront().listings().stream().filter(fits(query)).toList();
    return CallForm.open(services.tools()).stream()
        .filter(form -> type.isEmpty() || type.get().equals(form.word()))
        .flatMap(form -> fitting.stream().map(listing -> new Offered(listing, form)))
        .toList();
  }

  private static Predicate<PricedOperation> fits(Query query) {
    Predicate<PricedOperation> extension =
        listing -> query.text("extensions").map(Bazaar.EXTENSION::equals).orElse(true);
    return extension
        .and(asked(query.text("payTo"), PricedOperation::isPaidTo))
        .and(asked(query.text("scheme"), PricedOperation::isPaidBy))
        .and(asked(query.text("network"), PricedOperation::isPaidOn));
  }

  private static Predicate<PricedOperation> asked(
      Optional<String> value, BiPredicate<PricedOperation, String> test) {
    return listing -> value.isEmpty() || test.test(listing, value.get());
  }

  private Item item(Offered offered, String base) {
    PricedOperation listing = offered.listing();
    return new Item(
        offered.form().address(listing, base),
        offered.form().word(),
        VERSION,
        listing.accepts(),
        listing.since(),
        listing.operation().about(),
        MediaType.APPLICATION_JSON,
        services.settings().serviceName(),
        List.of(listing.operation().row().group().word()),
        Bazaar.member(offered.form().bazaar(listing.operation())));
  }

  /**
   * What the resources of discovery work with.
   *
   * @param tools whether everything can be called as a tool, too
   * @param sandbox whether the money is worthless
   */
  public record DiscoveryServices(
      Storefront storefront, DiscoverySettings settings, boolean tools, boolean sandbox) {

    /** What serves it in any application; the rest belongs to one that is the gateway's alone. */
    public static final List<Class<?>> RESOURCES = List.of(DiscoveryResource.class);

    /** The services that are mounted in an application. */
    static DiscoveryServices of(Providers providers) {
      return Mounted.of(providers, DiscoveryServices.class);
    }

    /**
     * An answer that no cache keeps: its addresses may have the host that its caller named, and its
     * prices are those of the moment.
     */
    static Response uncached(byte[] document) {
      return Response.ok(document).header(HttpHeaders.CACHE_CONTROL, "no-store").build();
    }

    /** Throws 404 where discovery is switched off. */
    void requireOpen() {
      if (!settings.enabled()) {
        throw Refused.unknown("There is no such path.");
      }
    }
  }

  /**
   * By which protocol something that is sold is called, as the protocol's listing tells them apart.
   */
  enum CallForm {
    HTTP {
      @Override
      String address(PricedOperation listing, String base) {
        return listing.address(base);
      }

      @Override
      ObjectNode bazaar(Operation operation) {
        return Bazaar.of(operation);
      }
    },
    /** A tool of the Model Context Protocol: those of a group have one address. */
    MCP {
      @Override
      String address(PricedOperation listing, String base) {
        return base + "/mcp/" + listing.operation().row().group().word();
      }

      @Override
      ObjectNode bazaar(Operation operation) {
        return ToolBazaar.of(operation);
      }
    };

    /** Those in which things are sold. */
    static List<CallForm> open(boolean tools) {
      return tools ? List.of(values()) : List.of(HTTP);
    }

    abstract String address(PricedOperation listing, String base);

    /** How it is called, in the form of the extension. */
    abstract ObjectNode bazaar(Operation operation);

    /** The listing's {@code type}. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * How an operation is called as a tool, in the form of the protocol's {@code bazaar} extension.
     */
    static final class ToolBazaar {

      private static final String TRANSPORT = "streamable-http";

      private ToolBazaar() {}

      /** An example of a call, and the schema that every tool's description satisfies. */
      static ObjectNode of(Operation operation) {
        ObjectNode extension = JsonNodeFactory.instance.objectNode();
        ObjectNode input = extension.putObject("info").putObject("input");
        input
            .put("type", CallForm.MCP.word())
            .put("toolName", operation.name())
            .put("description", operation.about())
            .put("transport", TRANSPORT);
        input.set("inputSchema", operation.input());
        input.set("example", operation.example());
        extension.set("schema", schema());
        return extension;
      }

      private static ObjectNode schema() {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.put("$schema", Bazaar.DRAFT).put("type", "object");
        ObjectNode input = schema.putObject("properties").putObject("input").put("type", "object");
        ObjectNode members = input.putObject("properties");
        members.putObject("type").put("type", "string").put("const", CallForm.MCP.word());
        members.putObject("toolName").put("type", "string");
        members.putObject("description").put("type", "string");
        members.putObject("transport").put("type", "string").putArray("enum").add(TRANSPORT);
        members.putObject("inputSchema").put("type", "object");
        members.putObject("example").put("type", "object");
        input.putArray("required").add("type").add("toolName").add("inputSchema");
        input.put("additionalProperties", false);
        schema.putArray("required").add("input");
        return schema;
      }
    }
  }
}
