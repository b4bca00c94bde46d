package dev.octroi.api.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.octroi.api.group.SoldRow.Place;
import dev.octroi.api.route.OpenApiImport.Imported;
import dev.octroi.api.route.OpenApiImport.Terms;
import dev.octroi.api.settings.InvalidSettings;
import dev.octroi.payments.Usd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a seller's own OpenAPI document. */
class OpenApiImportTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String HEAD = "openapi: 3.0.3\npaths:\n";

  private static List<Imported> read(String text) {
    return OpenApiImport.of(
        OpenApiDocument.of("weather.yaml", text.getBytes(StandardCharsets.UTF_8)),
        new Terms(
            Set.of("GET", "POST", "PUT", "PATCH", "DELETE"),
            name -> !name.equalsIgnoreCase("X-Payer"),
            20,
            "Weather by city.",
            "/api"));
  }

  private static Imported one(String paths) {
    List<Imported> all = read(HEAD + paths);
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  private static JsonNode json(String text) throws IOException {
    return JSON.readTree(text.replace('\'', '"'));
  }

  @Test
  void anOperationIsReadWithItsTexts() throws IOException {
    Imported search =
        one(
            """
              /cities/{city-id}/search:
                parameters:
                  - {name: city-id, in: path, required: true, description: Its number.,
                     schema: {type: integer, minimum: 1}, example: 7}
                  - {name: lang, in: query, schema: {type: string}}
                post:
                  operationId: search.city
                  summary: Searches in a city
                  description: Not told here. Nor this.
                  x-price: 0.010
                  parameters:
                    - {name: lang, in: query, schema: {type: string, enum: [en, de]}}
                    - {name: X-Units, in: header, schema: {type: string, default: metric}}
                    - {name: X-Payer, in: header, schema: {type: string}}
                    - {name: Authorization, in: header, schema: {type: string}}
                    - {name: session, in: cookie, schema: {type: string}}
                  requestBody:
                    content:
                      application/json:
                        schema:
                          type: object
                          required: [q, id]
                          properties:
                            q: {type: string, example: rain}
                            id: {type: integer, readOnly: true}
                            limit: {type: integer, nullable: true, exclusiveMinimum: true, minimum: 0}
                  responses:
                    200: {description: Found., content: {application/json: {schema: {type: array}}}}
                    402: {description: Never told.}
            """);

    assertThat(search.method()).isEqualTo("POST");
    assertThat(search.path()).isEqualTo("/cities/{city_id}/search");
    assertThat(search.name()).isEqualTo("search_city");
    assertThat(search.about()).isEqualTo("Searches in a city.");
    assertThat(search.price()).contains(Usd.parse("0.01"));
    assertThat(search.arguments().places())
        .containsOnly(entry("lang", Place.QUERY), entry("X-Units", Place.HEADER));
    assertThat((JsonNode) search.arguments().input())
        .isEqualTo(
            json(
                """
                {'type': 'object', 'properties': {
                  'lang': {'type': 'string', 'enum': ['en', 'de']},
                  'X-Units': {'type': 'string', 'default': 'metric'},
                  'q': {'type': 'string', 'examples': ['rain']},
                  'limit': {'type': ['integer', 'null'], 'exclusiveMinimum': 0},
                  'city_id': {'type': 'integer', 'minimum': 1, 'description': 'Its number.'}},
                 'required': ['q', 'city_id'], 'additionalProperties': true,
                 'description': 'Further arguments are the members of the JSON body.'}
                """));
    assertThat((JsonNode) search.arguments().example())
        .isEqualTo(json("{'lang':'en','X-Units':'metric','q':'rain','city_id':7}"));
    assertThat((JsonNode) search.answers())
        .isEqualTo(
            json(
                "{'200': {'description': 'Found.', 'content':"
                    + " {'application/json': {'schema': {'type': 'array'}}}}}"));
  }

  @Test
  void whatIsWrittenOtherwiseIsATextOfTheCallers() {
    JsonNode properties =
        one("""
                  /points:
                    get:
                      parameters:
                        - {name: ids, in: query, schema: {type: array, items: {type: integer}}}
                        - {name: tags, in: query, explode: false, schema: {type: array}}
                        - {name: box, in: query, style: pipeDelimited, schema: {type: array}}
                        - {name: filter, in: query, style: deepObject, required: true,
                           example: {color: red},
                           schema: {type: object, required: [color],
                                    properties: {color: {type: string}, size: {type: integer}}}}
                        - {name: page, in: query,
                           schema: {type: object, properties: {from: {type: integer}}}}
                        - {name: where, in: query, content: {application/json: {schema: {}}}}
                """)
            .arguments()
            .input()
            .path("properties");

    assertThat(properties.path("ids").path("type").asText()).isEqualTo("array");
    assertThat(properties.path("tags").path("description").asText())
        .isEqualTo("Written separated by commas.");
    assertThat(properties.path("box").path("type").asText()).isEqualTo("string");
    assertThat(properties.path("filter[color]").path("type").asText()).isEqualTo("string");
    assertThat(properties.path("filter[size]").path("type").asText()).isEqualTo("integer");
    assertThat(properties.path("from").path("type").asText()).isEqualTo("integer");
    assertThat(properties.path("where").path("contentMediaType").asText())
        .isEqualTo("application/json");
    assertThat(properties.has("page") || properties.has("filter")).isFalse();
  }

  @Test
  void namesThatStandAtTwoPlacesAreToldApart() throws IOException {
    Imported put =
        one(
            """
              /users/{id}:
                put:
                  parameters:
                    - {name: id, in: path, required: true, schema: {type: string}, example: a}
                    - {name: id, in: query, schema: {type: integer}, example: 1}
                    - {name: id, in: header, schema: {type: string}, example: h}
                  requestBody:
                    content:
                      application/json:
                        schema: {type: object, properties: {id: {type: string}}, example: {id: b}}
            """);

    assertThat(put.path()).isEqualTo("/users/{path_id}");
    assertThat(put.arguments().places())
        .containsOnly(
            entry("id", Place.QUERY), entry("ID", Place.HEADER), entry("body", Place.BODY));
    assertThat((JsonNode) put.arguments().example())
        .isEqualTo(json("{'id':1,'ID':'h','body':{'id':'b'},'path_id':'a'}"));
  }

  @Test
  void aBodyThatIsNoPlainObjectIsOneArgument() {
    List<Imported> all =
        read(
            HEAD
                + """
                  /list:
                    post:
                      requestBody:
                        required: true
                        content:
                          application/json:
                            schema:
                              type: array
                              items:
                                type: object
                                required: [id, at]
                                properties:
                                  id: {type: string, readOnly: true}
                                  at: {type: string}
                  /either:
                    post:
                      requestBody:
                        content:
                          application/vnd.api+json:
                            schema: {oneOf: [{type: object}, {type: string}]}
                  /form:
                    post:
                      requestBody:
                        content: {application/x-www-form-urlencoded: {schema: {type: object}}}
                """);

    assertThat(all)
        .allSatisfy(
            post -> assertThat(post.arguments().places()).containsOnly(entry("body", Place.BODY)));
    assertThat(all.get(0).arguments().input().at("/properties/body/items"))
        .hasToString(
            "{\"type\":\"object\",\"properties\":{\"at\":{\"type\":\"string\"}},"
                + "\"required\":[\"at\"]}");
    assertThat(all.get(0).arguments().input().path("required")).hasToString("[\"body\"]");
    assertThat(all.get(1).arguments().input().at("/properties/body/oneOf")).hasSize(2);
    assertThat(all.get(2).arguments().input().at("/properties/body/contentMediaType").asText())
        .isEqualTo("application/x-www-form-urlencoded");
  }

  @Test
  void referencesAreFollowedUntilTheyComeBack() {
    Imported tree =
        read("""
                openapi: 3.1.0
                paths:
                  /trees/{id}: {$ref: '#/components/pathItems/Tree'}
                components:
                  pathItems:
                    Tree:
                      get:
                        parameters: [{$ref: '#/components/parameters/Id'}]
                        responses:
                          '200': {$ref: '#/components/responses/Tree'}
                  parameters:
                    Id: {name: id, in: path, required: true, schema: {$ref: '#/components/schemas/A%20b'}}
                  responses:
                    Tree:
                      description: A tree.
                      content: {application/json: {schema: {$ref: '#/components/schemas/Node'}}}
                  schemas:
                    A b: {type: string, pattern: '^[a-z]+$'}
                    Node:
                      type: object
                      description: A node.
                      properties:
                        left: {$ref: '#/components/schemas/Node', title: Left}
                        secret: {type: string, writeOnly: true}
                """)
            .get(0);

    assertThat(tree.arguments().input().at("/properties/id/pattern").asText())
        .isEqualTo("^[a-z]+$");
    JsonNode schema = tree.answers().at("/200/content/application~1json/schema");
    assertThat(schema.path("type").asText()).isEqualTo("object");
    assertThat(schema.path("properties").has("secret")).isFalse();
    assertThat(schema.at("/properties/left"))
        .hasToString("{\"description\":\"A node.\",\"title\":\"Left\"}");
    assertThat(tree.toString()).doesNotContain("$ref");
  }

  /** Each schema refers twice to the next: unfolded they were more than there is memory for. */
  @Test
  void referencesThatGrowAreCut() {
    String schemas =
        IntStream.range(0, 60)
            .mapToObj(
                i ->
                    "    S%d: {type: object, properties: {a: {$ref: '#/components/schemas/S%d'}, b: {$ref: '#/components/schemas/S%d'}}}\n"
                        .formatted(i, i + 1, i + 1))
            .collect(Collectors.joining());
    String text =
        HEAD
            + """
              /a:
                post:
                  requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}
            components:
              schemas:
            """
            + schemas
            + "    S60: {type: string}\n";

    assertThat(one(text.substring(HEAD.length())).arguments().input().toString().length())
        .isLessThan(200_000);
  }

  @Test
  void examplesThatAreNoneAreLeftOut() {
    Imported get =
        one(
            """
              /a:
                get:
                  parameters:
                    - {name: n, in: query, required: true, example: seven, schema: {type: integer}}
                    - {name: lang, in: query, example: en, schema: {type: string}}
            """);

    assertThat(get.arguments().example()).isEmpty();
  }

  @Test
  void pricesAreExactAndOfTheOperationFirst() {
    List<Imported> all =
        read(
            HEAD
                + """
                  /a:
                    x-price: 0.5
                    get: {x-price: 0.000001}
                    post: {}
                    put: {x-price: '0'}
                  /b:
                    get: {x-price: 1e-2}
                    post: {}
                """);

    assertThat(all)
        .extracting(each -> each.price().map(Usd::dollars).orElse("none"))
        .containsExactly("0.000001", "0.500000", "0.000000", "0.010000", "none");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1000.01",
        "0.0000001",
        "-1",
        "1e999",
        "1e-999",
        ".inf",
        "free",
        "true",
        "[1]",
        "{amount: 1}"
      })
  void pricesThatAreNoneAreRefused(String price) {
    assertThatThrownBy(() -> read(HEAD + "  /a: {get: {x-price: " + price + "}}"))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("weather.yaml: GET /a: x-price: ");
  }

  @Test
  void namesAreUniqueAndShort() {
    List<Imported> all =
        read(
            HEAD
                + """
                  /a: {get: {operationId: 'a thing!', description: "One thing. And\\nmore."}}
                  /b: {get: {operationId: A-Thing}}
                  /c: {get: {operationId: much.longer.than.any.name.may.be}}
                  /d: {get: {operationId: much.longer.than.any.other.name}}
                  /e/{id}: {get: {summary: "  two\\n lines\\u0007 "}}
                """);

    assertThat(all)
        .extracting(Imported::name)
        .containsExactly(
            "a_thing", "A_Thing_2", "much_longer_than_any", "much_longer_than_a_2", "get_e_by_id");
    assertThat(all)
        .extracting(Imported::about)
        .contains("One thing.", "Weather by city: GET /b.", "two lines.");
  }

  @Test
  void whatCannotBeSoldIsLeftOut() {
    assertThat(
            read(
                HEAD
                    + """
                      /a: {head: {}, options: {}, trace: {}, get: {}}
                      /a/{x}.json: {get: {}}
                      /a/*: {get: {}}
                      /b/{x}/{x}: {get: {}}
                      /{2}: {get: {}}
                      x-more: {get: {}}
                    """))
        .extracting(Imported::where)
        .containsExactly("GET /a");
  }

  @ParameterizedTest
  @CsvSource({"/a/{x},/a/{y}", "/a,/A", "/a,/a/", "/a/%41,/a/A"})
  void pathsThatAServerMayTakeForTheSameAreRefused(String first, String second) {
    assertThatThrownBy(
            () -> read(HEAD + "  '" + first + "': {get: {}}\n  '" + second + "': {get: {}}\n"))
        .hasMessageContaining(
            "weather.yaml: GET " + second + " and " + first + " are the same path");
  }

  @Test
  void aPathKeepsTheSlashAtItsEnd() {
    assertThat(read(HEAD + "  /a/: {get: {}}\n  /: {get: {}}\n"))
        .extracting(Imported::path)
        .containsExactly("/a/", "/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "other.yaml#/X",
        "https://example.com/x.json",
        "file:///etc/passwd",
        "#/components/none",
        "#name",
        "#/%zz",
        "//evil"
      })
  void referencesThatLeadElsewhereAreRefused(String reference) {
    assertThatThrownBy(
            () ->
                read(
                    HEAD
                        + "  /a: {get: {parameters: [{name: q, in: query, schema: {$ref: '"
                        + reference
                        + "'}}]}}"))
        .hasMessageContaining("weather.yaml: GET /a: '" + reference + "'")
        .hasMessageContaining(
            reference.startsWith("#") ? "leads nowhere" : "is in another document");
  }

  @Test
  void aReferenceThatLeadsToItselfIsRefused() {
    assertThatThrownBy(
            () -> read(HEAD + "  /a: {$ref: '#/paths/~1b'}\n  /b: {$ref: '#/paths/~1a'}"))
        .hasMessageContaining("leads to itself");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "openapi: 3.0.0\\npaths: {/a: {get: {}}\\nb: c | line 3: it is no YAML there",
        "openapi: 3.0.0\\npaths:\\n  /a: {}\\n  /a: {} | line 4: '/a' stands there twice",
        "{\"openapi\": \"3.0.0\",\\n\"paths\": {,}} | line 2: it is no JSON there",
        "{\"openapi\": \"3.0.0\",\\n\"paths\": {},\\n\"paths\": {}} | line 3: a member stands there twice",
        "{\"openapi\": \"3.0.0\"} {} | it is no JSON there",
        "openapi: 3.0.0\\n---\\nopenapi: 3.0.0 | line 2: a second document begins",
        "openapi: 3.0.0\\na: &a [*a] | line 2: *a stands for nothing, or for itself",
        "openapi: 3.0.0\\na: *b | line 2: *b stands for nothing",
        "openapi: 3.0.0\\n? [a]\\n: b | line 2: a key is no text",
        "swagger: '2.0' | it is Swagger 2; convert it to OpenAPI 3",
        "openapi: 3.9.0 | it is of another version",
        "root:x:0:0 | it is no OpenAPI document",
        "'' | it is no OpenAPI document",
        "a: \\u0000 | it has characters that no text has"
      })
  void whatIsNoDocumentIsRefusedWithItsLine(String text, String problem) {
    String written = text.replace("\\n", "\n").replace("\\u0000", "\u0000");
    assertThatThrownBy(() -> read(written))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("weather.yaml: ")
        .hasMessageContaining(problem)
        .hasMessageNotContaining("0:0");
  }

  @Test
  void aliasesThatUnfoldWithoutEndAreRefused() {
    StringBuilder bomb = new StringBuilder("openapi: 3.0.0\na0: &a0 [lol, lol, lol, lol, lol]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append(
          "a%d: &a%d [*a%d, *a%d, *a%d, *a%d]\n".formatted(i, i, i - 1, i - 1, i - 1, i - 1));
    }

    org.junit.jupiter.api.Assertions.assertTimeout(
        Duration.ofSeconds(5),
        () ->
            assertThatThrownBy(() -> read(bomb.toString()))
                .hasMessageContaining("weather.yaml: line 10: it has more than 500000 parts"));
  }

  @Test
  void aliasesAndMergedMappingsAreRead() {
    Imported get =
        one(
            """
              /a:
                get: &get
                  x-price: 0.5
                  parameters: [&q {name: q, in: query, schema: {type: string}}]
                x-more: {<<: *get, parameters: [*q]}
            """);
    List<Imported> merged =
        read(HEAD + "  /a:\n    get: &a {x-price: 0.5}\n    put: {<<: *a, summary: Puts}\n");

    assertThat(get.arguments().input().at("/properties/q/type").asText()).isEqualTo("string");
    assertThat(merged.get(1).price()).contains(Usd.parse("0.5"));
    assertThat(merged.get(1).about()).isEqualTo("Puts.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"!!javax.script.ScriptEngineManager [x]", "!!java.net.URL ['http://a']"})
  void noTagMakesAnObject(String tagged) {
    assertThat(read("openapi: 3.0.0\nx: " + tagged + "\npaths: {/a: {get: {}}}")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"a\":"})
  void whatIsNestedWithoutEndIsRefused(String opening) {
    String deep = opening.repeat(100_000);

    assertThatThrownBy(() -> read("openapi: 3.0.0\na: " + deep))
        .hasMessageContaining("weather.yaml: line 2: it is nested more deeply than 100");
    assertThatThrownBy(() -> read("{\"a\":" + deep))
        .hasMessageContaining("weather.yaml: it is nested more deeply than 100");
  }

  @Test
  void whatIsTooLargeIsRefused() {
    assertThatThrownBy(() -> read("#".repeat((4 << 20) + 1)))
        .hasMessageContaining("weather.yaml: it is larger than 4 MiB");
    String paths =
        IntStream.range(0, 1001)
            .mapToObj(i -> "  /a" + i + ": {get: {}}\n")
            .collect(Collectors.joining());
    assertThatThrownBy(() -> read(HEAD + paths))
        .hasMessageContaining("it has more than 1000 operations");
    assertThatThrownBy(() -> read("{\"a\":[" + "1,".repeat(600_000) + "1]}"))
        .hasMessageContaining("more than 500000 parts");
    assertThatThrownBy(() -> read("a: [" + "1,".repeat(600_000) + "1]"))
        .hasMessageContaining("more than 500000 parts");
  }

  @Test
  void oddValuesWhereOthersBelongDoNoHarm() {
    assertThat(
            read(
                HEAD
                    + """
                      /a:
                        get: true
                        post: {parameters: {a: b}, requestBody: [1], responses: text, operationId: [1]}
                        put:
                          parameters: [1, null, {name: 1, in: query}, {in: query}, {name: q, in: [2]}]
                          requestBody: {content: {application/json: {schema: {type: [1], enum: 7,
                            properties: [1], items: 3, required: yes, minimum: a, allOf: {}}}}}
                          responses: {200: 7, abc: {}, 299: {content: [1]}}
                        delete: {summary: [1], description: {a: 1}}
                      /b: 7
                    """))
        .hasSize(4);
  }
}
