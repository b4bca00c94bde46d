package dev.octroi.api;

import static dev.octroi.api.ImageHost.DRAW;
import static dev.octroi.api.ImageHost.EDIT;
import static dev.octroi.api.ImageHost.json;
import static dev.octroi.api.ImageHost.prompt;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.account.Accounts.IssuedKey;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentRequired;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls for pictures that are answered while the caller waits. */
class ImageCallsTest {

  private static ImageHost host;

  private final Wallet wallet = Wallet.generate();

  @BeforeAll
  static void start() {
    host = new ImageHost(Map.of());
  }

  @AfterAll
  static void stop() {
    host.close();
  }

  @Test
  void aPictureThatFailsTellsTheUpstreamThatWasAskedOnAnotherThread() throws SQLException {
    String told =
        "SELECT COUNT(*) FROM payment WHERE state = 'RELEASED' AND upstream LIKE '%provider-a%'";
    long before = host.count(told);
    assertThat(host.paid(host.draw(prompt("fail")), wallet).status()).isEqualTo(502);
    assertThat(host.count(told)).isEqualTo(before + 1);
  }

  /** A multipart form, as clients write them. */
  private static final class Sent {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Sent text(String name, String value) {
      return part("name=\"" + name + "\"", value.getBytes(StandardCharsets.UTF_8));
    }

    Sent file(String name, byte[] content) {
      return part("name=\"" + name + "\"; filename=\"x.png\"", content);
    }

    private Sent part(String disposition, byte[] content) {
      write("--b0undary\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n");
      bytes.writeBytes(content);
      write("\r\n");
      return this;
    }

    private void write(String text) {
      bytes.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    HttpRequest.Builder edit() {
      write("--b0undary--\r\n");
      return host.http()
          .request(EDIT)
          .header("Content-Type", "multipart/form-data; boundary=b0undary")
          .POST(BodyPublishers.ofByteArray(bytes.toByteArray()));
    }
  }

  private static HttpRequest.Builder editing(String json) {
    return host.http()
        .request(EDIT)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(json.replace('\'', '"')));
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  @Tag("spec:state.image_job.fast_path")
  @Tag("spec:limit.fast_path")
  @Tag("spec:endpoint.images.generations")
  @Tag("spec:request.images.generations.model")
  @Tag("spec:request.images.generations.prompt")
  @Tag("spec:request.images.generations.n")
  @Tag("spec:record.image.created")
  @Tag("spec:record.image.data.url")
  void picturesThatComeSoonAreAnsweredAndSettledWithoutAJob() throws SQLException {
    PaidAnswer answer = host.paid(host.draw(prompt("now").replace("}", ",\"n\":2}")), wallet);
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(200);
    assertThat(answer.receipt()).isNotNull();
    JsonNode body = json(answer);
    assertThat(body.path("created").asLong()).isPositive();
    assertThat(body.path("data")).hasSize(2);
    assertThat(body.path("price").path("amount").asText()).isEqualTo("0.042000");
    assertThat(host.count("SELECT count(*) FROM image_job")).isZero();

    String url = body.path("data").path(1).path("url").asText();
    assertThat(url).startsWith(host.http().base() + "/v1/assets/");
    HttpResponse<byte[]> picture =
        host.http()
            .send(
                HttpRequest.newBuilder(java.net.URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    assertThat(picture.headers().firstValue("Content-Type")).contains("image/png");
    assertThat(picture.body()).isEqualTo(ImageVendor.png(17, 17, false));
  }

  @Test
  @Tag("spec:record.image.data.b64_json")
  @Tag("spec:request.images.generations.response_format")
  void picturesComeAsBytesWhereTheyAreWanted() {
    PaidAnswer answer =
        host.paid(
            host.draw(prompt("now").replace("}", ",\"response_format\":\"b64_json\"}")), wallet);
    assertThat(json(answer).path("data").path(0).path("b64_json").asText())
        .isEqualTo(ImageVendor.picture(16));
    assertThat(json(answer).path("data").path(0).has("url")).isFalse();
  }

  /** Whoever calls a model by its vendor's name reads what its vendor's SDK reads. */
  @Test
  @Tag("spec:decision.images.sdk_answers")
  void aModelThatIsCalledByItsVendorsNameGivesBytesBesideTheAddress() {
    String body = prompt("now").replace("provider-a/image-1", "gpt-image-2");
    JsonNode picture = json(host.paid(host.draw(body), wallet)).path("data").path(0);
    assertThat(picture.path("b64_json").asText()).isEqualTo(ImageVendor.picture(16));
    assertThat(picture.path("url").asText()).startsWith(host.http().base() + "/v1/assets/");
    String addressed = body.replace("}", ",\"response_format\":\"url\"}");
    JsonNode one = json(host.paid(host.draw(addressed), wallet)).path("data").path(0);
    assertThat(one.has("b64_json")).isFalse();
    assertThat(one.has("url")).isTrue();
  }

  @Test
  @Tag("spec:record.image.data.b64_json")
  void picturesAreLongerThanOtherAnswersMayBe() {
    PaidAnswer answer =
        host.paid(
            host.draw(prompt("large").replace("}", ",\"response_format\":\"b64_json\"}")), wallet);
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(200);
    assertThat(answer.body().length).isGreaterThan(8 << 20);
    assertThat(answer.receipt()).isNotNull();
    assertThat(json(answer).path("data").path(0).path("b64_json").asText())
        .isEqualTo(ImageVendor.LARGE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'model':'provider-a/image-1'                          | 21000",
        "'model':'provider-a/image-1','quality':'auto','size':'auto' | 21000",
        "'model':'auto/image','n':10                           | 210000",
        "'model':'provider-b/image-pro','size':'2048x2048'     | 105000",
        "'model':'zai/cogview-4','size':'512x528','prompt':7   | 15000"
      })
  @Tag("spec:request.images.generations.size")
  void anUnpaidCallIsToldThePriceBeforeAnythingElseIsLookedAt(String members, String amount) {
    HttpResponse<String> challenge =
        host.http().send(host.draw("{" + members.replace('\'', '"') + "}").build());
    assertThat(challenge.statusCode()).isEqualTo(402);
    String header = challenge.headers().firstValue("PAYMENT-REQUIRED").orElseThrow();
    assertThat(PaymentRequired.read(header).accepts().get(0).amount()).isEqualTo(amount);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"model\":\"no/such\"}",
        "{\"model\":\"provider-d/image\",\"size\":\"1x1\"}",
        "{\"model\":\"provider-d/image\",\"n\":11}",
        "{}",
        "nonsense"
      })
  void whatHasNoPriceIs400WithoutAChallenge(String body) {
    HttpResponse<String> answer = host.http().send(host.draw(body).build());
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).path("error").path("type").asText()).isEqualTo("invalid_request_error");
    assertThat(json(answer).path("error").path("message").asText()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "filtered, 400, content_policy_violation",
    "fail, 502, upstream_failed",
    "'x\",\"quality\":\"ultra', 400, invalid_params",
    "'x\",\"quality\":\"high', 400, invalid_params",
    "'x\",\"seed\":\"7', 400, invalid_params"
  })
  void whatIsNotDrawnIsNotCharged(String words, int status, String code) {
    PaidAnswer answer = host.paid(host.draw(prompt(words)), wallet);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.receipt()).isNull();
    assertThat(json(answer).path("error").path("code").asText()).isEqualTo(code);
  }

  @Test
  void aKeyPaysForItsPictures() {
    IssuedKey key = host.key();
    assertThat(host.byKey(host.draw(prompt("now")), key).statusCode()).isEqualTo(200);
    assertThat(host.spent(key)).isEqualTo(21_000);
  }

  @Test
  @Tag("spec:endpoint.images.edits")
  @Tag("spec:request.images.edits.image")
  @Tag("spec:request.images.edits.mask")
  @Tag("spec:request.images.edits.prompt")
  @Tag("spec:request.images.edits.size")
  @Tag("spec:request.images.edits.n")
  void aFormIsEdited() {
    HttpRequest.Builder form =
        new Sent()
            .file("image", ImageVendor.png(64, 64, false))
            .file("mask", ImageVendor.png(64, 64, true))
            .text("prompt", "more trees")
            .text("n", "1")
            .text("size", "1536x1024")
            .edit();
    PaidAnswer answer = host.paid(form, wallet);
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(200);
    assertThat(answer.receipt()).isNotNull();
    assertThat(json(answer).path("created").asLong()).isPositive();
    assertThat(json(answer).path("data").path(0).path("url").asText()).contains("/v1/assets/");
    String sent = host.vendor().asked().get(host.vendor().asked().size() - 1);
    assertThat(sent).contains("more trees", "1536x1024", "name=\"mask\"", "gpt-image-2");
  }

  @Test
  @Tag("spec:request.images.edits.images")
  @Tag("spec:request.images.edits.partial_images")
  void jsonIsEdited() {
    String picture = base64(ImageVendor.png(32, 32, false));
    PaidAnswer answer =
        host.paid(
            editing(
                "{'prompt':'p','images':['"
                    + picture
                    + "','data:image/png;base64,"
                    + picture
                    + "'],'partial_images':2,'input_fidelity':'high'}"),
            wallet);
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(200);
    String sent = host.vendor().asked().get(host.vendor().asked().size() - 1);
    assertThat(sent).contains("name=\"image[]\"").doesNotContain("input_fidelity");
  }

  @Test
  @Tag("spec:request.images.edits.images")
  void jsonIsEditedInTheVendorsShape() {
    String picture = base64(ImageVendor.png(32, 32, false));
    String mask = base64(ImageVendor.png(32, 32, true));
    PaidAnswer answer =
        host.paid(
            editing(
                "{'model':'gpt-image-2','prompt':'p','quality':'auto','size':'auto','images':["
                    + "{'image_url':'data:image/png;base64,%s'}],'mask':{'image_url':'%s'}}"
                        .formatted(picture, mask)),
            wallet);
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(200);
    JsonNode drawn = json(answer).path("data").path(0);
    assertThat(drawn.path("b64_json").asText()).isEqualTo(ImageVendor.picture(16));
    assertThat(drawn.path("url").asText()).contains("/v1/assets/");
    String sent = host.vendor().asked().get(host.vendor().asked().size() - 1);
    assertThat(sent).contains("name=\"image\"", "name=\"mask\"", "1024x1024", "medium");
  }

  @Test
  void anUnpaidEditIsToldItsPriceWhateverThePicturesAre() {
    HttpRequest.Builder form =
        new Sent().file("image", new byte[0]).text("model", "provider-a/image-2").edit();
    HttpResponse<String> challenge = host.http().send(form.build());
    assertThat(challenge.statusCode()).isEqualTo(402);
    String header = challenge.headers().firstValue("PAYMENT-REQUIRED").orElseThrow();
    assertThat(PaymentRequired.read(header).accepts().get(0).amount()).isEqualTo("63000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'prompt':'p'}                                   | 400 | image is missing",
        "{'images':['AAAA']}                              | 400 | prompt",
        "{'prompt':'p','images':['AAAA']}                 | 400 | not a PNG",
        "{'prompt':'p','images':['*']}                    | 400 | base64",
        "{'prompt':'p','images':[7]}                      | 400 | images",
        "{'prompt':'p','images':[{'file_id':'file-1'}]}   | 400 | images",
        "{'prompt':'p','images':['AAAA'],'markup':'AAAA'} | 400 | markup",
        "{'prompt':'p','images':['http://127.0.0.1/a']}   | 422 | public",
        "{'prompt':'p','images':['http://']}              | 400 | URL",
        "{'prompt':'p','images':['http://localhost:80/']} | 422 | public"
      })
  @Tag("spec:limit.image_edit_input")
  void anEditThatCannotBeDoneIsNotCharged(String body, int status, String why) {
    PaidAnswer answer = host.paid(editing(body), wallet);
    assertThat(answer.status()).as(GatewayHost.text(answer)).isEqualTo(status);
    assertThat(answer.receipt()).isNull();
    assertThat(json(answer).path("error").path("message").asText()).contains(why);
  }

  @Test
  void aMaskThatDoesNotFitAndAFileThatIsTooLargeAreRefused() {
    HttpRequest.Builder mask =
        new Sent()
            .file("image", ImageVendor.png(64, 64, false))
            .file("mask", ImageVendor.png(64, 32, true))
            .text("prompt", "p")
            .edit();
    assertThat(json(host.paid(mask, wallet)).path("error").path("message").asText())
        .contains("64x32");
    HttpRequest.Builder large =
        new Sent().file("image", new byte[(4 << 20) + 1]).text("prompt", "p").edit();
    assertThat(json(host.paid(large, wallet)).path("error").path("message").asText())
        .contains("4 MB");
  }

  @Test
  void aBodyThatIsNeitherFormNorJsonIs415AndAFormForDrawingsToo() {
    assertThat(
            host.http()
                .send(
                    host.http()
                        .request(EDIT)
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("x"))
                        .build())
                .statusCode())
        .isEqualTo(415);
    assertThat(
            host.http()
                .send(
                    host.http()
                        .request(DRAW)
                        .header("Content-Type", "multipart/form-data; boundary=b")
                        .POST(BodyPublishers.ofString("--b\r\n"))
                        .build())
                .statusCode())
        .isEqualTo(415);
  }
}
