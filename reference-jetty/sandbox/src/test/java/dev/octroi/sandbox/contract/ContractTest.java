package dev.octroi.sandbox.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.sandbox.contract.Violation.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContractTest {

  private static final Contract CONTRACT =
      Contract.parse(
          """
          source a page of this test, today
          base /v2
          auth authorization /Bearer \\S+/
          auth x-key
          header version {1,2}
          type hex /0x[0-9a-f]+/
          shape page
            limit int(1..100) = 20
            cursor
          shape block by type
            text
              text! text(1..10)
            list,group
              blocks! [@block](..2)
            *
              plain! bool
          GET /things
            +page
            order {asc,desc} = desc
            ids [@hex](..2)
            tags csv[{a,b}](1..2)
            share num(0..1)
            open bool
            not-both cursor order
          GET /things/{id}
            path id @hex
          GET /things/latest
            one-of from since
            from int
            since text
          DELETE /things/{id}.json
          public GET /files/{name}
          POST /ask
            header beta csv[{x,y}]
            body! json
              model!
              blocks! [@block](1..)
              content text | [@block]
              more object
                depth int(..3)
                * num
              free object
              level int{1,60}
              together more free
          POST /ask for small-*,tiny
            body! json
              model!
          POST /form
            body! form|multipart
              name! text(1..)
              n int(1..9)
              part [text]
          """);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/things",
        "/v2/things",
        "/things?limit=1&order=asc&open=true&share=0.5",
        "/things?ids=0xa&ids=0xb",
        "/things?tags=a,b",
        "/things?cursor=&order=asc",
        "/things/0xff",
        "/things/latest?from=3"
      })
  void whatTheContractKnowsIsACall(String uri) {
    assertThat(get(uri)).isInstanceOf(Call.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "/other; NO_PATH; ''",
        "/things/; NO_PATH; ''",
        "/things/0xff/more; NO_PATH; ''",
        "/things?colour=red; UNKNOWN; colour",
        "/things?limit=0; BOUND; limit",
        "/things?limit=101; BOUND; limit",
        "/things?limit=1.5; TYPE; limit",
        "/things?limit=; TYPE; limit",
        "/things?limit=1&limit=2; TYPE; limit",
        "/things?order=up; VALUE; order",
        "/things?ids=ff; VALUE; ids.0",
        "/things?ids=0xa&ids=0xb&ids=0xc; BOUND; ids",
        "/things?tags=a,c; VALUE; tags",
        "/things?tags=a,b,a; BOUND; tags",
        "/things?share=1.01; BOUND; share",
        "/things?open=yes; TYPE; open",
        "/things?cursor=x&order=asc; COMBINATION; ''",
        "/things/ff; VALUE; id",
        "/things/latest; MISSING; ''",
        "/things/latest?from=1&since=x; COMBINATION; ''"
      })
  void whatItDoesNotKnowIsRefusedByName(String uri, Kind kind, String name) {
    assertThat(get(uri))
        .isInstanceOfSatisfying(
            Violation.class,
            violation -> {
              assertThat(violation.kind()).isEqualTo(kind);
              assertThat(violation.dotted()).isEqualTo(name);
            });
  }

  @Test
  void aCallHasItsOperationItsVariablesAndItsDefaults() {
    assertThat(get("/v2/things/0xff"))
        .isEqualTo(new Call("GET /things/{id}", Map.of("id", "0xff"), Map.of()));
    assertThat(get("/things?ids=0xa&ids=0xb&cursor="))
        .isEqualTo(
            new Call(
                "GET /things", Map.of(), Map.of("limit", "20", "order", "desc", "ids", "0xa,0xb")));
  }

  @Test
  void aVariableMayBePartOfASegment() {
    assertThat(ask("DELETE", "/things/0xff.json", ""))
        .isEqualTo(new Call("DELETE /things/{id}.json", Map.of("id", "0xff"), Map.of()));
  }

  @Test
  void anotherMethodIsNotAnUnknownPath() {
    assertThat(ask("POST", "/things", ""))
        .isInstanceOfSatisfying(
            Violation.class, violation -> assertThat(violation.kind()).isEqualTo(Kind.NO_METHOD));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      nullValues = "none",
      value = {
        "authorization; Bearer x; none",
        "x-key; anything; none",
        "authorization; x; UNAUTHORIZED",
        "authorization; Bearer ; UNAUTHORIZED",
        "api-key; x; UNAUTHORIZED"
      })
  void aCredentialHasTheVendorsForm(String header, String value, Kind kind) {
    Checked checked = check("GET", "/things", Map.of(header, value), "");

    if (kind == null) {
      assertThat(checked).isInstanceOf(Call.class);
    } else {
      assertThat(((Violation) checked).kind()).isEqualTo(kind);
    }
  }

  @Test
  void aPublicPathNeedsNoCredential() {
    assertThat(check("GET", "/files/a.png", Map.of(), "")).isInstanceOf(Call.class);
  }

  @ParameterizedTest
  @CsvSource({
    "user-agent, anything, ''",
    "x-stainless-lang, js, ''",
    "version, 1, ''",
    "version, 3, version",
    "x-colour, red, x-colour",
    "beta, x, beta"
  })
  void headersAreThoseOfEveryClientAndOfTheVendor(String header, String value, String refused) {
    Checked checked =
        check("GET", "/things", Map.of("authorization", "Bearer x", header, value), "");

    assertThat(checked instanceof Violation violation ? violation.dotted() : "").isEqualTo(refused);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'model':'m','blocks':[{'type':'text','text':'a'}]}",
        "{'model':'m','blocks':[{'type':'group','blocks':[{'type':'text','text':'a'}]}]}",
        "{'model':'m','blocks':[{'plain':true}],'content':'x','level':60}",
        "{'model':'m','blocks':[{'plain':true}],'content':[{'type':'text','text':'a'}]}",
        "{'model':'m','blocks':[{'plain':true}],'more':{'depth':3,'a':0.5},'free':{'b':[]}}",
        "{'model':'small-1'}",
        "{'model':'tiny'}"
      })
  void aBodyOfItsShapesIsACall(String body) {
    assertThat(ask("POST", "/ask", body)).isInstanceOf(Call.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "''; UNREADABLE; ''",
        "[]; UNREADABLE; ''",
        "{'model'; UNREADABLE; ''",
        "{'model':'m','model':'n'}; UNREADABLE; ''",
        "{'model':'m'}; MISSING; blocks",
        "{'model':'m','blocks':[]}; BOUND; blocks",
        "{'model':1,'blocks':[{'plain':true}]}; TYPE; model",
        "{'model':'m','blocks':[{'type':'text'}]}; MISSING; blocks.0.text",
        "{'model':'m','blocks':[{'type':'sound'}]}; VALUE; blocks.0.type",
        "{'model':'m','blocks':[{'type':'text','text':'a','b':1}]}; UNKNOWN; blocks.0.b",
        "{'model':'m','blocks':[{'plain':true}],'content':[{'type':'text'}]}; MISSING; content.0.text",
        "{'model':'m','blocks':[{'plain':true}],'content':7}; TYPE; content",
        "{'model':'m','blocks':[{'plain':true}],'level':'60'}; TYPE; level",
        "{'model':'m','blocks':[{'plain':true}],'level':2}; VALUE; level",
        "{'model':'m','blocks':[{'plain':true}],'free':{}}; COMBINATION; ''",
        "{'model':'m','blocks':[{'plain':true}],'content':null}; TYPE; content",
        "{'model':'small-1','blocks':[{'plain':true}]}; UNKNOWN; blocks"
      })
  void aBodyOfAnotherShapeIsRefusedByName(String body, Kind kind, String name) {
    assertThat(ask("POST", "/ask", body))
        .isInstanceOfSatisfying(
            Violation.class,
            violation -> {
              assertThat(violation.kind()).isEqualTo(kind);
              assertThat(violation.dotted()).isEqualTo(name);
            });
  }

  @Test
  void aBodyIsOfItsMediaTypeAndThereWhereItIsTaken() {
    Map<String, String> text = Map.of("x-key", "k", "content-type", "text/plain");

    assertThat(((Violation) check("POST", "/ask", text, "{'model':'tiny'}")).kind())
        .isEqualTo(Kind.UNREADABLE);
    assertThat(((Violation) check("GET", "/things", Map.of("x-key", "k"), "{}")).kind())
        .isEqualTo(Kind.UNREADABLE);
  }

  @ParameterizedTest
  @CsvSource({
    "name=a+b&n=3&part=x&part=y, ''",
    "n=3, name",
    "name=a&n=10, n",
    "name=a&colour=red, colour",
    "name=a&name=b, name"
  })
  void aFormIsCheckedFieldByField(String form, String refused) {
    Checked checked =
        check(
            "POST",
            "/form",
            Map.of("x-key", "k", "content-type", "application/x-www-form-urlencoded"),
            form);

    assertThat(checked instanceof Violation violation ? violation.dotted() : "").isEqualTo(refused);
  }

  @Test
  void whatIsBeyondThePublicContractCanBeLeftOut() {
    Contract all =
        Contract.parse(
            """
            source a page
            beyond
            auth x-key
            GET /more
            """);

    assertThat(all.operations()).containsExactly("GET /more");
    assertThat(all.publicOnly().operations()).isEmpty();
  }

  @Test
  void aContractNamesItsSource() {
    assertThatThrownBy(() -> Contract.parse("GET /x")).hasMessageContaining("source");
  }

  @Test
  void theContractOfTheDocumentIsOne() throws IOException {
    String[] blocks = Files.readString(Path.of("README.md")).split("```\n");
    Contract written = Contract.parse(blocks[1]);

    assertThat(blocks[1]).startsWith("source ");
    assertThat(written.operations()).containsOnly("GET /things/{kind}", "POST /things");
  }

  private static Checked get(String uri) {
    return ask("GET", uri, "");
  }

  private static Checked ask(String method, String uri, String body) {
    return check(method, uri, Map.of("x-key", "k", "content-type", "application/json"), body);
  }

  private static Checked check(
      String method, String uri, Map<String, String> headers, String body) {
    int end = uri.indexOf('?');
    Map<String, List<String>> query = new TreeMap<>();
    if (end >= 0) {
      Stream.of(uri.substring(end + 1).split("&"))
          .map(pair -> pair.split("=", 2))
          .forEach(
              pair ->
                  query.merge(
                      pair[0],
                      List.of(pair[1]),
                      (some, more) -> Stream.of(some, more).flatMap(List::stream).toList()));
    }
    return CONTRACT.check(
        method,
        end < 0 ? uri : uri.substring(0, end),
        query,
        new HashMap<>(headers),
        body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** A reader has to be able to find what a contract was taken from, and to see how old it is. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "chat",
        "cryptodata",
        "cryptodata-beyond",
        "images",
        "messages",
        "music",
        "phone",
        "prediction",
        "prediction-beyond",
        "responses",
        "voice",
        "websearch",
        "websearch-beyond"
      })
  void everySourceOfAContractHasItsDate(String name) throws IOException {
    try (var file = ContractTest.class.getResourceAsStream(name + ".txt")) {
      assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8).lines())
          .filteredOn(line -> line.startsWith("source "))
          .isNotEmpty()
          .allSatisfy(source -> assertThat(source).containsPattern("20(2[5-9]|[3-9][0-9])\\b"));
    }
  }
}
