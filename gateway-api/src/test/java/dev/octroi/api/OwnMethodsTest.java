package dev.octroi.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.api.catalogue.HostGroup;
import dev.octroi.api.catalogue.Sold;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.payments.Free;
import dev.octroi.payments.Paid;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.servlet.PathPrices;
import dev.octroi.payments.servlet.PaymentServletFilter;
import jakarta.validation.constraints.NotBlank;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host's own paid methods are wherever built-in groups are, by their annotations alone. */
class OwnMethodsTest {

  private static final JsonMapper JSON = new JsonMapper();

  private GatewayHost host;

  /** As the OpenAPI annotations of others are called. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Operation {
    String summary();
  }

  record Order(@NotBlank String title, Integer copies) {}

  /** Knows nothing of catalogues. */
  @Path("library")
  @Produces(MediaType.TEXT_PLAIN)
  public static final class Library {

    @GET
    @Free
    public String list() {
      return "odyssey";
    }

    @GET
    @Path("books/{name: [a-z]{1,9}}")
    @Paid("0.02")
    public String firstWords(
        @PathParam("name") String name, @QueryParam("lines") @DefaultValue("1") int lines) {
      return name + " " + lines;
    }

    @POST
    @Path("orders")
    @Consumes(MediaType.APPLICATION_JSON)
    @Paid("0.5")
    @Operation(summary = "Orders a printed book.")
    public String order(Order order) {
      return order.title();
    }

    @POST
    @Path("translations")
    @Consumes(MediaType.APPLICATION_JSON)
    @Paid(by = EachCopy.class)
    @Sold(
        about = "Translates a book.",
        body = Order.class,
        example = "{\"title\":\"odyssey\",\"copies\":3}")
    public String translate(String order) {
      return "translated";
    }

    @POST
    @Path("questions")
    @Consumes(MediaType.APPLICATION_JSON)
    @Paid("0.1")
    @Sold(
        about = "Answers a question about a book.",
        body = Order.class,
        example = "{\"title\":\"odyssey\"}")
    public String ask(String body) {
      return "yes";
    }
  }

  /** Prices an order by what is in it. */
  public static final class EachCopy implements Tariff {

    @Override
    public Usd price(PricedRequest request) {
      try {
        return Usd.parse("0.1").times(JSON.readTree(request.body()).path("copies").asInt());
      } catch (IOException e) {
        throw new BadRequestException("an order is JSON", e);
      }
    }
  }

  /** Lies at the root with nothing before its parameter. */
  @Path("{name}")
  public static final class Everything {

    @GET
    @Paid("1")
    public String get() {
      return "";
    }
  }

  /** Free by itself: a filter sells it. */
  @Path("archive")
  @Produces(MediaType.TEXT_PLAIN)
  public static final class Archive implements Group {

    @GET
    @Path("{path: .*}")
    @Free
    public String get(@PathParam("path") String path) {
      return "scan of " + path;
    }

    private static final PathPrices PRICES =
        new PathPrices().paid("/archive/*", "0.07").paid("*.pdf", "1").free("/archive/index");

    @Override
    public Profile profile() {
      return new Profile(
          "shelves", "Shelves", "Free.", ErrorShape.FLAT, List.of("/shelves"), List.of());
    }

    @Override
    public List<Class<?>> resources() {
      return List.of(Archive.class);
    }

    @Override
    public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
      return new ConfiguredGroup() {
        @Override
        public List<SoldRow> rows() {
          return List.of();
        }

        @Override
        public OpenGroup open(GroupContext context) {
          return OpenGroup.of();
        }
      };
    }
  }

  @TempDir private java.nio.file.Path folder;

  @BeforeEach
  void start() throws IOException {
    java.nio.file.Path prices =
        Files.writeString(
            folder.resolve("prices"), "row.GET/library/books/{name}=0.03\ngroup.archive=0.08\n");
    host =
        GatewayHost.with(
            Map.of(
                "gateway.admin.token",
                Admin.TOKEN,
                "gateway.groups",
                "",
                "gateway.prices.file",
                prices.toString()),
            builder ->
                builder
                    .sell("library", "Library", Library.class)
                    .sell("archive", "Archive", Archive.PRICES)
                    .group(new Archive()),
            gateway -> new PaymentServletFilter(gateway.payments(), Archive.PRICES));
  }

  @AfterEach
  void stop() {
    host.close();
  }

  private JsonNode json(String path) throws IOException {
    HttpResponse<String> answer =
        host.http()
            .send(
                host.http().request(path).header("Authorization", "Bearer " + Admin.TOKEN).build());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  @Test
  void whatATariffPricesIsDiscoveredAtThePriceOfItsExample() throws IOException {
    assertThat(host.http().get("/llms.txt").body()).contains("/library/translations");
    JsonNode listed = json("/.well-known/x402");
    assertThat(listed.toString()).contains("/library/translations");
    JsonNode found = json("/discovery/resources?limit=100");
    JsonNode row =
        StreamSupport.stream(found.path("items").spliterator(), false)
            .filter(item -> item.path("resource").asText().endsWith("/library/translations"))
            .findFirst()
            .orElseThrow();
    assertThat(row.at("/accepts/0/amount").asText()).isEqualTo("300000");
    PaidAnswer answer =
        host.paid(
            host.http()
                .request("/library/translations")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"title\":\"iliad\",\"copies\":2}"))
                .build());
    assertThat(GatewayHost.text(answer)).isEqualTo("translated");
    assertThat(answer.headers().firstValue("X-Price-Amount")).contains("0.200000");
  }

  @Test
  void theyAreServedAndPaidAsBefore() {
    PaidAnswer answer = host.paid("/library/books/odyssey?lines=3");

    assertThat(GatewayHost.text(answer)).isEqualTo("odyssey 3");
    assertThat(answer.headers().firstValue("X-Price-Amount")).contains("0.030000");
    assertThat(host.http().get("/library").body()).isEqualTo("odyssey");
    ScrapedMetrics figures = new ScrapedMetrics(host.http().get("/metrics").body());
    assertThat(figures.sum("octroi_calls_total", "group=\"library\"", "books", "\"2xx\""))
        .isEqualTo(1);
  }

  @Test
  void theDescriptionSaysWhatTheirAnnotationsSay() throws IOException {
    JsonNode document = json("/openapi.json");

    JsonNode words = document.path("paths").path("/library/books/{name}").path("get");
    assertThat(words.path("summary").asText()).isEqualTo("Library: first words");
    assertThat(words.path("tags")).hasToString("[\"Library\"]");
    assertThat(words.path("parameters").findValuesAsText("in")).containsExactly("path", "query");
    assertThat(words.at("/parameters/1/schema/type").asText()).isEqualTo("integer");
    assertThat(words.at("/x-payment-info/price").asText()).isEqualTo("0.030000");
    JsonNode order = document.path("paths").path("/library/orders").path("post");
    assertThat(order.path("summary").asText()).isEqualTo("Orders a printed book");
    assertThat(
            document
                .at("/components/schemas/library_post_library_orders_request/required")
                .toString())
        .isEqualTo("[\"title\"]");
    assertThat(document.path("paths").path("/library").path("get").has("x-payment-info")).isFalse();
  }

  @Test
  void discoveryToolsAndThePriceBookHaveThem() throws IOException {
    assertThat(json("/discovery/resources?type=http").findValuesAsText("resource"))
        .containsExactly(
            host.http().base().resolve("/library/books/:name").toString(),
            host.http().base().resolve("/library/orders").toString(),
            host.http().base().resolve("/library/questions").toString(),
            host.http().base().resolve("/library/translations").toString(),
            host.http().base().resolve("/archive/:path").toString());
    assertThat(host.http().get("/llms.txt").body())
        .contains("## Library", "Orders a printed book.", "Answers a question about a book.");
    assertThat(json("/admin/v1/prices").findValuesAsText("path"))
        .containsExactly(
            "/library/books/{name}",
            "/library/orders",
            "/library/questions",
            "/library/translations",
            "/archive/{path}");
    HttpResponse<String> tools =
        host.http()
            .send(
                host.http()
                    .request("/mcp")
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .POST(
                        BodyPublishers.ofString(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"))
                    .build());
    assertThat(JSON.readTree(tools.body()).at("/result/tools").findValuesAsText("name"))
        .contains("library_get_library_books_by_name", "library_post_library_questions");
  }

  @Test
  void whatAFilterSellsIsToldOfAndHasItsPriceByTheBook() {
    assertThat(host.http().get("/archive/1812/letters").body()).contains("Archive: GET /archive/*");
    PaidAnswer answer = host.paid("/archive/1812/letters");

    assertThat(GatewayHost.text(answer)).isEqualTo("scan of 1812/letters");
    assertThat(answer.headers().firstValue("X-Price-Amount")).contains("0.080000");
    for (String trick : List.of("/archive/%31", "/x/../archive/1", "/archive;a/1", "//archive/1")) {
      assertThat(host.http().get(trick).body()).as(trick).doesNotContain("scan");
    }
    assertThat(host.http().get("/archive/index").body()).isEqualTo("scan of index");
  }

  @Test
  void whatCannotBeToldApartIsRefused() {
    assertThatThrownBy(() -> HostGroup.of("all", "All", Everything.class))
        .hasMessageContaining("begins with a word");
    assertThatThrownBy(() -> HostGroup.of("none", "None", String.class))
        .hasMessageContaining("nothing of the group none is paid for");
    assertThat(HostGroup.of("library", "Library", Library.class).profile().bases())
        .isEqualTo(
            List.of(
                "/library/books",
                "/library/orders",
                "/library/questions",
                "/library/translations"));
  }
}
