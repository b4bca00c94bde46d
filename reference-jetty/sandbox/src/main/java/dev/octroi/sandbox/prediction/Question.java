package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the oracle knows of a market at a time: the question is asked when the market is listed,
 * answered shortly before it resolves, sometimes disputed, and settled when it resolves.
 *
 * @param market what is asked about
 * @param now the time
 */
record Question(Market market, Instant now) {

  private static final long LIVENESS = 7_200;

  /** A month, so that there are disputes at any time. */
  private static final long DISPUTE = 2_592_000;

  private static final String ONE = "1000000000000000000";
  private static final String BOND = "500000000";
  private static final long FIRST_BLOCK_AT = 1_590_000_000;

  private long end() {
    return market.end().getEpochSecond();
  }

  private boolean disputed() {
    return Chance.unit(market.key(), 71) < 0.2;
  }

  private long proposedAt() {
    return end() - (disputed() ? DISPUTE : 14_400);
  }

  private long disputedAt() {
    return proposedAt() + LIVENESS / 2;
  }

  private boolean past(long second) {
    return second <= now.getEpochSecond();
  }

  String state() {
    if (past(end())) {
      return "resolved";
    }
    if (disputed() && past(disputedAt())) {
      return "disputed";
    }
    return past(proposedAt()) ? "proposed" : "pending";
  }

  private String price() {
    return market.comesTrue() ? ONE : "0";
  }

  private String address(String role) {
    return Chance.hex(role + market.slug(), 40);
  }

  private static String adapter() {
    return Chance.hex("adapter", 40);
  }

  private static long block(long second) {
    return (second - FIRST_BLOCK_AT) / 2;
  }

  private String hash(String event) {
    return Chance.hex(event + market.slug(), 64);
  }

  Row row() {
    boolean resolved = past(end());
    List<Row> events = events();
    Row last = events.get(events.size() - 1);
    long asked = market.created().getEpochSecond();
    return Row.of("id", market.questionId(), "adapter", adapter())
        .with("condition_id", market.conditionId())
        .with("market_id", market.marketId())
        .with("title", market.title())
        .with("state", state())
        .with("is_paused", false)
        .with("is_flagged", false)
        .with("resolved_price", resolved ? price() : null)
        .with("resolved_at", resolved ? end() : null)
        .with("paused_at", null)
        .with("flagged_at", null)
        .with("last_event_at", last.get("block_timestamp"))
        .with("last_tx_hash", last.get("tx_hash"))
        .with("reset_count", disputed() && past(disputedAt()) ? 1 : 0)
        .with("reward", "5000000")
        .with("proposal_bond", BOND)
        .with("reward_token", Chance.hex("reward token", 40))
        .with("request_timestamp", asked)
        .with("creator", address("creator"))
        .with("created_block", block(asked))
        .with("created_tx_hash", hash("request"));
  }

  /** What has happened, oldest first; at least the request. */
  List<Row> events() {
    List<Row> events = new ArrayList<>();
    events.add(event("request", market.created().getEpochSecond()));
    if (past(proposedAt())) {
      events.add(event("proposal", proposedAt()));
    }
    if (disputed() && past(disputedAt())) {
      events.add(event("dispute", disputedAt()));
    }
    if (past(end())) {
      events.add(event("settlement", end()));
    }
    return events;
  }

  private Row event(String type, long time) {
    boolean asked = type.equals("request");
    boolean settled = type.equals("settlement");
    return Row.of("id", hash(type) + "-1", "event_type", type, "source_contract", adapter())
        .with("block_number", block(time))
        .with("block_timestamp", time)
        .with("log_index", 1 + Chance.below(market.key(), time, 200))
        .with("tx_hash", hash(type))
        .with("question_id", market.questionId())
        .with("game_id", null)
        .with("sports_market_id", null)
        .with("condition_id", market.conditionId())
        .with("requester", address("creator"))
        .with("proposer", asked ? null : address("proposer"))
        .with("disputer", type.equals("dispute") ? address("disputer") : null)
        .with("proposed_price", asked ? null : price())
        .with("settled_price", settled ? price() : null)
        .with("payout", settled ? BOND : null)
        .with("expiration_time", asked ? null : proposedAt() + LIVENESS)
        .with("payouts", null)
        .with("home_score", null)
        .with("away_score", null)
        .with("bond_amount", BOND)
        .with("liveness_amount", LIVENESS)
        .with("ancillary_data", null);
  }
}
