package dev.octroi.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.client.Wallet;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pictures as the sandbox draws them, with the call or as a job. */
abstract class ImagesBehaviour extends Behaviour {

  private static final String DRAW = "/v1/images/generations";
  private static final String EDIT = "/v1/images/edits";
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final String BOUNDARY = "kit-boundary";

  private static Call drawing(String prompt, String more) {
    return Call.post(
        DRAW, "{\"model\":\"provider-a/image-1\",\"prompt\":\"" + prompt + "\"" + more + "}");
  }

  /** A client takes either: the pictures, or a job that it polls. */
  private JsonNode drawn(Call call) {
    Payer payer = new Payer(Wallet.generate());
    Reply reply = deployment().send(call, payer.sign(deployment().challenge(call)));
    if (reply.status() == 200) {
      return reply.json();
    }
    assertThat(reply.status()).as(reply.toString()).isEqualTo(202);
    return ended(reply.json(), payer).json();
  }

  /** Polls with payments of the same payer until the job has ended. */
  private Reply ended(JsonNode job, Payer payer) {
    Call poll = Call.get(DRAW + "/" + job.path("id").asText());
    return Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> deployment().send(poll, payer.sign(deployment().challenge(poll))),
            reply -> reply.status() != 202);
  }

  private Reply opened(JsonNode picture) {
    URI url = URI.create(picture.path("url").asText());
    assertThat(url.getPath()).contains("/v1/assets/");
    String below = url.getPath().substring(url.getPath().indexOf("/v1/"));
    Reply reply = deployment().send(Call.get(below));
    assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    return reply;
  }

  private static byte[] png(int side, boolean alpha) {
    int type = alpha ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ImageIO.write(new BufferedImage(side, side, type), "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static String part(String disposition, byte[] content) {
    return "--"
        + BOUNDARY
        + "\r\nContent-Disposition: form-data; "
        + disposition
        + "\r\n\r\n"
        + new String(content, ISO_8859_1)
        + "\r\n";
  }

  @ParameterizedTest
  @CsvSource({"png, image/png", "jpeg, image/jpeg", "webp, image/webp"})
  @Tag("spec:endpoint.images.generations")
  @Tag("spec:request.images.generations.output_format")
  @Tag("spec:record.image.data.url")
  void aPictureOpensInTheFormatThatWasAsked(String format, String mediaType) {
    JsonNode answer = drawn(drawing("a gate", ",\"output_format\":\"" + format + "\""));
    assertThat(answer.path("data")).hasSize(1);
    Reply picture = opened(answer.path("data").path(0));
    assertThat(picture.header("Content-Type")).isEqualTo(mediaType);
  }

  @Test
  @Tag("spec:record.image.data.b64_json")
  void aPictureComesAsBytesWhereTheyAreWanted() throws IOException {
    JsonNode answer =
        drawn(drawing("a gate", ",\"n\":2,\"response_format\":\"b64_json\"")).path("data");
    assertThat(answer).hasSize(2);
    byte[] bytes = Base64.getDecoder().decode(answer.path(1).path("b64_json").asText());
    assertThat(ImageIO.read(new ByteArrayInputStream(bytes)).getWidth()).isEqualTo(1024);
  }

  @Test
  @Tag("spec:state.image_job.queued")
  @Tag("spec:state.image_job.completed")
  @Tag("spec:state.image_job.already_settled")
  @Tag("spec:state.image_job.ownership")
  @Tag("spec:state.image_job.poll_prefix")
  void aPictureThatTakesLongIsAJobOfItsPayers() {
    Call call = drawing("sandbox:slow=3 a gate", "");
    Payer payer = new Payer(Wallet.generate());
    String payment = payer.sign(deployment().challenge(call));
    Reply ordered = deployment().send(call, payment);
    assertThat(ordered.status()).as(ordered.toString()).isEqualTo(202);
    assertUncharged(ordered);
    assertThat(ordered.json().path("payment_status").asText()).isEqualTo("verified");
    Call poll = Call.get(DRAW + "/" + ordered.json().path("id").asText());
    assertThat(deployment().send(poll).status()).isEqualTo(402);
    assertThat(deployment().pay(poll).status()).as("of another payer").isEqualTo(404);

    Reply done = ended(ordered.json(), payer);
    assertThat(done.status()).as(done.toString()).isEqualTo(200);
    assertThat(done.json().path("payment").path("status").asText()).isEqualTo("settled");
    opened(done.json().path("data").path(0));
    Reply again = deployment().send(poll.target("/api" + poll.target()), payment);
    assertThat(again.status()).as(again.toString()).isEqualTo(200);
    assertThat(again.json().path("payment").path("status").asText()).isEqualTo("already_settled");
    assertThat(again.json().path("data")).isEqualTo(done.json().path("data"));
    assertUncharged(again);
  }

  @ParameterizedTest
  @CsvSource({
    "sandbox:filtered, 400, content_policy_violation",
    "sandbox:fail, 503, upstream_unavailable",
    "'x\",\"background\":\"red', 400, invalid_params"
  })
  @Tag("spec:error.images.field")
  void whatIsNotDrawnIsNotCharged(String prompt, int status, String code) {
    Call call = drawing(prompt, "");
    String payment = deployment().payment(call);
    assertRefused(deployment().send(call, payment), status, code);
  }

  @Test
  @Tag("spec:error.images.size")
  void aSizeThatIsNotListedHasNoPrice() {
    Reply reply = deployment().send(drawing("x", ",\"size\":\"512x512\""));
    assertRefused(reply, 400, "invalid_params");
  }

  @Test
  @Tag("spec:endpoint.images.edits")
  @Tag("spec:request.images.edits.image")
  @Tag("spec:request.images.edits.mask")
  void aFormIsEdited() {
    String body =
        part("name=\"image\"; filename=\"a.png\"", png(256, false))
            + part("name=\"mask\"; filename=\"m.png\"", png(256, true))
            + part("name=\"prompt\"", "a tree".getBytes(UTF_8))
            + "--"
            + BOUNDARY
            + "--\r\n";
    JsonNode answer = deployment().buy(Call.form(EDIT, BOUNDARY, body)).json();
    assertThat(answer.path("created").asLong()).isPositive();
    assertThat(opened(answer.path("data").path(0)).header("Content-Type")).isEqualTo("image/png");
  }

  @Test
  @Tag("spec:request.images.edits.images")
  void jsonIsEditedAndWhatIsNotPublicIsNotFetched() {
    String picture = Base64.getEncoder().encodeToString(png(256, false));
    JsonNode answer =
        deployment()
            .buy(Call.post(EDIT, "{\"prompt\":\"a tree\",\"images\":[\"" + picture + "\"]}"))
            .json();
    opened(answer.path("data").path(0));
    Call inside = Call.post(EDIT, "{\"prompt\":\"p\",\"images\":[\"http://127.0.0.1/x.png\"]}");
    assertRefused(deployment().pay(inside), 422, "url_unreachable");
  }

  @Test
  @Tag("spec:endpoint.images.job")
  void aJobThatNobodyOrderedIsNotFound() {
    Reply reply = deployment().send(Call.get(DRAW + "/img_" + "0".repeat(32)));
    assertRefused(reply, 404, "not_found");
  }
}
