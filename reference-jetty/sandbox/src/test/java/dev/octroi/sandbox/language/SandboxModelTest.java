package dev.octroi.sandbox.language;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.sandbox.vendor.SandboxServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What applications ask of a model: to choose a tool, to fill a schema, to answer. */
@Timeout(60)
class SandboxModelTest {

  private static final String TOOLS =
      """
      "tools":[
      {"type":"function","function":{"name":"get_weather","description":"Current weather of a city",
       "parameters":{"type":"object","properties":{"city":{"type":"string"},
         "unit":{"type":"string","enum":["celsius","fahrenheit"]}},"required":["city"]}}},
      {"type":"function","function":{"name":"web_search","description":"Search the web for pages",
       "parameters":{"type":"object","properties":{"query":{"type":"string"},
         "max_results":{"type":"integer","maximum":10}},"required":["query","max_results"]}}},
      {"type":"function","function":{"name":"getPrice","description":"Latest price of a coin in dollars",
       "parameters":{"type":"object","properties":{"symbol":{"type":"string"}},"required":["symbol"]}}},
      {"type":"function","function":{"name":"send_email","description":"Sends a message to someone",
       "parameters":{"type":"object","properties":{"to":{"type":"string","format":"email"},
         "subject":{"type":"string"},"urgent":{"type":"boolean"}},"required":["to","subject","urgent"]}}}]
      """
          .replaceAll("\\s*\\n\\s*", "");

  private static SandboxServer server;

  @org.junit.jupiter.api.BeforeAll
  static void start() {
    server = SandboxServer.start(0, LanguageVendor.all());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonNode message(String text, String... members) throws Exception {
    var answer = VendorLine.CHAT.send(server, VendorLine.CHAT.ask(text, members));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return VendorLine.JSON.readTree(answer.body()).at("/choices/0/message");
  }

  private static JsonNode filled(String text, String schema) throws Exception {
    String format =
        "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"x\",\"strict\":true,\"schema\":"
            + schema.replace('\'', '"')
            + "}}";
    return VendorLine.JSON.readTree(message(text, format).path("content").asText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "What is the weather in Paris in celsius? | get_weather | {'city':'Paris','unit':'celsius'}",
        "How's the weather in New York today? | get_weather | {'city':'New York'}",
        "What is the price of BTC right now? | getPrice | {'symbol':'BTC'}",
        "How much does BTC cost? | getPrice | {'symbol':'BTC'}",
        "Is it raining in Berlin? | get_weather | {'city':'Berlin'}",
        "What's the temperature in Oslo? | get_weather | {'city':'Oslo'}",
        "Search the web for lighthouse museums, 5 results | web_search |"
            + " {'query':'Search the web for lighthouse museums, 5 results','max_results':5}",
        "Email ada@example.org about 'Lunch on Friday', nothing urgent | send_email |"
            + " {'to':'ada@example.org','subject':'Lunch on Friday','urgent':true}"
      })
  void theToolThatFitsTheQuestionIsCalledWithWhatItStates(
      String question, String tool, String arguments) throws Exception {
    JsonNode call = message(question, TOOLS).at("/tool_calls/0/function");

    assertThat(call.path("name").asText()).isEqualTo(tool);
    assertThat(VendorLine.JSON.readTree(call.path("arguments").asText()))
        .isEqualTo(VendorLine.JSON.readTree(arguments.replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource({"Hello!", "Tell me a joke about elephants", "Thanks a lot"})
  void whatNoToolFitsIsAnsweredWithoutOne(String question) throws Exception {
    assertThat(message(question, TOOLS).path("tool_calls")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Ada Lovelace is 36 years old and lives in London |"
            + " {'type':'object','properties':{'name':{'type':'string'},'age':{'type':'integer'},"
            + "'city':{'type':'string'}},'required':['name','age','city']} |"
            + " {'name':'Ada Lovelace','age':36,'city':'London'}",
        "Is this review positive or negative? I never had a negative thought |"
            + " {'type':'object','properties':{'sentiment':{'enum':['positive','negative','neutral']}},"
            + "'required':['sentiment']} | {'sentiment':'positive'}",
        "Plan it with 'flour', 'eggs' and 'milk' | {'type':'object','properties':{'ingredients':"
            + "{'type':'array','items':{'type':'string'}}},'required':['ingredients']} |"
            + " {'ingredients':['flour','eggs','milk']}",
        "a part | {'type':'object','properties':{'part':{'$ref':'#/$defs/part'}},'required':['part'],"
            + "'$defs':{'part':{'type':'object','properties':{'code':{'type':'string',"
            + "'pattern':'^[A-Z]{3}-\\\\d{2}$'},'made':{'type':'string','format':'date'},"
            + "'weight':{'type':'number','exclusiveMinimum':2,'multipleOf':0.5},"
            + "'next':{'anyOf':[{'type':'null'},{'type':'string','minLength':9,'maxLength':9}]}},"
            + "'required':['code','made','weight','next']}}} |"
            + " {'part':{'code':'AAA-11','made':'2026-01-15','weight':2.5,'next':'sandboxxx'}}"
      })
  void anAnswerFitsItsSchemaAndSaysWhatIsStated(String text, String schema, String expected)
      throws Exception {
    assertThat(filled(text, schema))
        .isEqualTo(VendorLine.JSON.readTree(expected.replace('\'', '"')));
  }

  @Test
  void aSchemaThatRefersToItselfEnds() throws Exception {
    JsonNode tree =
        filled(
            "a tree",
            "{'type':'object','properties':{'label':{'type':'string'},'children':{'type':'array',"
                + "'items':{'$ref':'#'}}},'required':['label','children']}");

    assertThat(tree.path("label").asText()).isNotEmpty();
  }

  @Test
  void aHostilePatternTakesNoTime() throws Exception {
    JsonNode answer =
        filled(
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
            "{'type':'object','properties':{'x':{'type':'string','pattern':'^((a+)+)+$'},"
                + "'y':{'type':'string','pattern':'(a{900}){900}'}},'required':['x','y']}");

    assertThat(answer.path("x").asText()).matches("a+");
  }

  @Test
  void aQuestionIsAnsweredFromThePages() throws Exception {
    String answer = message("What is tidal power?").path("content").asText();

    assertThat(answer).containsIgnoringCase("tid").contains("https://");
  }

  @Test
  void whatNoPageAnswersIsSaidToBeASandbox() throws Exception {
    assertThat(message("What did I dream of last night?").path("content").asText())
        .startsWith("This is a sandbox");
  }
}
