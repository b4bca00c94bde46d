package dev.octroi.payments.x402;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.x402.Challenges.Challenge;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.StringLength;

class ChallengesPropertyTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Challenges challenges = new Challenges(new Offers(List.of(ChallengesTest.BASE)));

  @Property(tries = 500)
  @Tag("spec:limit.challenge_header")
  void anyTextMakesAsciiJsonWithinTheLimit(
      @ForAll @StringLength(max = 2000) String description,
      @ForAll @StringLength(max = 3000) String query)
      throws IOException {
    String url = "http://127.0.0.1:8402/v1/a?" + query;

    Challenge challenge =
        challenges.first(
            OfferedPrice.of(ChallengesTest.PRICE),
            new ResourceInfo(url, description, null, null, null, null));

    assertThat(challenge.header()).hasSizeLessThanOrEqualTo(Challenge.MAX_HEADER_CHARS);
    assertThat(ChallengesTest.header(challenge).path("x402Version").asInt()).isEqualTo(2);
    String body = new String(challenge.body(), StandardCharsets.ISO_8859_1);
    assertThat(body).matches("[ -~]+");
    assertThat(JSON.readTree(body).at("/resource/description").asText()).isEqualTo(description);
    assertThat(JSON.readTree(body).at("/resource/url").asText()).isEqualTo(url);
  }
}
