package dev.octroi.services.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VendorModelsTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void aListInOnePieceNamesModelsTheirBuildsAndThoseInAFolder() throws Exception {
    VendorModels models =
        asked(
            """
            {"object": "list", "data": [{"id": "one-2026-03-17"}, {"id": "models/two"},
             {"id": "three-mini"}, {"id": "four-20251001"}]}
            """);

    assertThat(models.has("one")).isTrue();
    assertThat(models.has("two")).isTrue();
    assertThat(models.has("three")).isFalse();
    assertThat(models.has("four")).isTrue();
    assertThat(models.has("four-20251001")).isTrue();
    assertThat(models.has("fo")).isFalse();
    assertThat(models.end("one")).isEmpty();
  }

  @Test
  void pagesAreReadToTheLastWithTheHeaderAndTheCredentialThatTheVendorWants() throws Exception {
    try (WireServer server =
            WireServer.start(
                (request, wire) ->
                    wire.json(
                        200,
                        request.target().endsWith("&after_id=a%2Fb")
                            ? "{\"data\":[{\"id\":\"last\",\"retires_at\":\"2026-11-30T23:00:00-05:00\"}],"
                                + "\"has_more\":false}"
                            : "{\"data\":[{\"id\":\"a/b\",\"retires_at\":null}],\"has_more\":true,"
                                + "\"last_id\":\"a/b\"}"));
        UpstreamClient client =
            new UpstreamClient(server.settings().with(Credential.bearer("geheim")))) {
      VendorModels models = VendorModels.ask(client, VendorModels.Form.PAGED, LONG);

      assertThat(models.has("a/b")).isTrue();
      assertThat(models.end("last")).contains(LocalDate.of(2026, 12, 1));
      assertThat(server.requests())
          .hasSize(2)
          .allSatisfy(
              request ->
                  assertThat(request.headers())
                      .containsEntry("anthropic-version", "2023-06-01")
                      .containsEntry("Authorization", "Bearer geheim"));
    }
  }

  @Test
  void aRefusalHasItsStatusAndNoModels() throws Exception {
    try (WireServer server = WireServer.start((request, wire) -> wire.json(401, "{\"data\":[1]}"));
        UpstreamClient client = new UpstreamClient(server.settings())) {
      VendorModels models = VendorModels.ask(client, VendorModels.Form.WHOLE, LONG);

      assertThat(models.status()).isEqualTo(401);
      assertThat(models.listed()).isEmpty();
    }
  }

  @Test
  void whatIsNoListAndWhoDoesNotAnswerAreToldApartFromAList() throws Exception {
    assertThat(asked("[]").listed()).isEmpty();
    assertThatThrownBy(() -> asked("<html>")).isInstanceOf(IOException.class);

    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    try (UpstreamClient client =
        new UpstreamClient(UpstreamSettings.of("gone", URI.create("http://127.0.0.1:" + closed)))) {
      assertThatThrownBy(() -> VendorModels.ask(client, VendorModels.Form.WHOLE, LONG))
          .isInstanceOf(IOException.class);
    }
  }

  private static VendorModels asked(String json) throws Exception {
    try (WireServer server = WireServer.saying(json);
        UpstreamClient client = new UpstreamClient(server.settings())) {
      return VendorModels.ask(client, VendorModels.Form.WHOLE, LONG);
    }
  }
}
