package dev.octroi.services.prediction;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import dev.octroi.services.read.CacheFigures;
import dev.octroi.services.read.CacheSettings;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.Reads;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.read.UpstreamReads;
import dev.octroi.services.upstream.UpstreamClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The reads of the prediction group. Takes rows of {@link PredictionRead} only. Thread-safe. */
public final class PredictionReads implements Reads {

  /** The fields of a wallet's positions when the vendor has never seen it hold any. */
  private static final byte[] NO_POSITIONS =
      "{\"positions\":[]}".getBytes(StandardCharsets.US_ASCII);

  /** The summary shows open positions, as many as one page holds, the largest first. */
  private static final Map<String, List<String>> OPEN_POSITIONS =
      Map.of(
          "include_closed", List.of("false"),
          "sort_by", List.of("value"),
          "order", List.of("desc"),
          "limit", List.of("100"));

  private final Reads reads;
  private final VenueAliases aliases;
  private final PredictionSettings settings;

  public PredictionReads(
      UpstreamClient client, PredictionSettings settings, CacheSettings cacheSettings) {
    var words = client.settings().words();
    this.reads = new UpstreamReads(client, new PredictionConnector(settings, words), cacheSettings);
    this.aliases = new VenueAliases(words);
    this.settings = settings;
  }

  @Override
  public Answer read(
      Read row, Map<String, String> path, Map<String, List<String>> query, Deadline deadline) {
    PredictionRead read = (PredictionRead) row;
    Answer answer = reads.read(read, path, aliases.neutral(read, query), deadline);
    boolean summary = read == PredictionRead.VENUE_A_WALLET && settings.statedRecords();
    return summary && answer.status() == 200 ? summary(answer, path, deadline) : answer;
  }

  @Override
  public CacheFigures cacheFigures() {
    return reads.cacheFigures();
  }

  /** The wallet summary is stated as one record and kept by the vendor as two reads. */
  private Answer summary(Answer wallet, Map<String, String> path, Deadline deadline) {
    Answer positions =
        reads.read(PredictionRead.VENUE_A_WALLET_POSITIONS, path, OPEN_POSITIONS, deadline);
    if (positions.status() != 200 && positions.status() != 404) {
      return positions;
    }
    byte[] held = positions.status() == 200 ? positions.body() : NO_POSITIONS;
    return Answer.json(
        200,
        UpstreamJson.bytes(
            WalletRecords.summary(UpstreamJson.object(wallet.body()), UpstreamJson.object(held))));
  }
}
