package dev.octroi.services.prediction;

import static dev.octroi.services.prediction.PredictionRead.MARKETS_COMPARE;
import static dev.octroi.services.prediction.PredictionRead.MARKETS_SEARCH;
import static dev.octroi.services.prediction.PredictionRead.VENUE_A_LEADERBOARD;
import static dev.octroi.services.prediction.PredictionRead.VENUE_A_LEADERBOARD_VOLUME;
import static dev.octroi.services.prediction.PredictionRead.VENUE_A_MARKETS;
import static dev.octroi.services.prediction.PredictionRead.VENUE_B_MARKETS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.Answer;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.prediction.PredictionReads.PredictionConnector;
import dev.octroi.services.prediction.PredictionReads.PredictionSettings;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.upstream.UpstreamAnswer;
import dev.octroi.services.upstream.VenueWords;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;

@Tag("spec:record.prediction.pass_through")
class PassThroughTest {

  private static final Set<PredictionRead> STATED =
      Set.of(
          VENUE_A_MARKETS,
          VENUE_B_MARKETS,
          VENUE_A_LEADERBOARD,
          VENUE_A_LEADERBOARD_VOLUME,
          MARKETS_SEARCH,
          MARKETS_COMPARE);
  private static final Arguments NONE = new Arguments(Map.of(), Map.of(), Map.of(), Map.of());

  private final PredictionConnector connector =
      new PredictionConnector(PredictionSettings.standard(), VenueWords.none());

  @Property
  void aBodyWithoutAStatedRecordKeepsEveryByte(
      @ForAll("passing") PredictionRead row, @ForAll @Size(max = 2000) byte[] said) {
    byte[] body =
        ("{\"said\" :\t\"" + HexFormat.of().formatHex(said) + "\",\"n\":1.50}\n").getBytes(UTF_8);
    Answer answer = connector.success(row, NONE, new UpstreamAnswer(200, Map.of(), body));
    assertThat(answer.body()).isEqualTo(body);
    assertThat(answer.charged()).isTrue();
  }

  @Property
  void aRecordIsNeverMadeOfAnotherShape(@ForAll("stated") PredictionRead row) {
    UpstreamAnswer other = new UpstreamAnswer(200, Map.of(), "{\"markets\":{}}".getBytes(UTF_8));
    assertThatThrownBy(() -> connector.success(row, NONE, other))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_FAILED));
  }

  @Provide
  Arbitrary<PredictionRead> passing() {
    return Arbitraries.of(PredictionRead.class).filter(row -> !STATED.contains(row));
  }

  @Provide
  Arbitrary<PredictionRead> stated() {
    return Arbitraries.of(STATED);
  }

  @Example
  void numbersKeepTheirSpelling() {
    byte[] body =
        """
        {"markets":[{"condition_id":"1","title":"T","total_volume_usd":12345678901234567890.1230,
        "liquidity_usd":0.10,"outcomes":[{"label":"Reds","price":0.620},{"label":"Blues","price":0.380}]}],
        "pagination":{"total":1}}
        """
            .getBytes(UTF_8);
    Answer answer =
        connector.success(VENUE_A_MARKETS, NONE, new UpstreamAnswer(200, Map.of(), body));
    assertThat(new String(answer.body(), UTF_8))
        .isEqualTo(
            "{\"markets\":[{\"id\":\"1\",\"question\":\"T\",\"yes_price\":0.620,\"no_price\":0.380,"
                + "\"volume\":12345678901234567890.1230,\"liquidity\":0.10,\"end_date\":null,"
                + "\"category\":null,\"created_at\":null}],\"total\":1}");
  }
}
