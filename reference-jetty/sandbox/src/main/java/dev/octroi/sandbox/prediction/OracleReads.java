package dev.octroi.sandbox.prediction;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** How the oracle resolves the markets of venue A. */
final class OracleReads {

  private OracleReads() {}

  static void addTo(Routes routes) {
    routes
        .get("/venue-a/oracle/markets", OracleReads::markets)
        .get("/venue-a/oracle/market/:condition_id", OracleReads::market)
        .get("/venue-a/resolution/:id", OracleReads::resolution)
        .get(
            "/oracle/assertions",
            ask -> events(ask, "assertions", event -> event.equals("proposal")))
        .get("/oracle/disputes", ask -> events(ask, "disputes", event -> event.equals("dispute")));
  }

  private static List<Question> questions(Ask ask) {
    return ask.universe().markets(Venue.A).stream()
        .filter(market -> !market.archived())
        .map(market -> new Question(market, ask.now()))
        .sorted(
            Comparator.comparing((Question question) -> question.market().end())
                .reversed()
                .thenComparing(question -> question.market().slug()))
        .toList();
  }

  private static Row markets(Ask ask) {
    ask.required("state");
    String state = ask.choice("state", "resolved", "pending", "proposed", "disputed", "reset");
    List<Row> rows =
        questions(ask).stream()
            .filter(question -> question.state().equals(state))
            .map(question -> Row.of("question", question.row()))
            .toList();
    return Page.byKey(ask, Row.of("state", state), "items", rows, 50, 100);
  }

  private static Row market(Ask ask) {
    Question question = new Question(ask.market(ask.id("condition_id")), ask.now());
    Row events = Page.byKey(ask, new Row(), "events", question.events(), 20, 100);
    return Row.of("condition_id", question.market().conditionId())
        .with("question", question.row())
        .with("events", events.get("events"))
        .with("events_pagination", events.get("pagination"));
  }

  private static Row resolution(Ask ask) {
    Market market = ask.market(ask.id("id"));
    Instant now = ask.now();
    boolean closed = market.closed(now);
    Question question = new Question(market, now);
    List<Row> payouts = new ArrayList<>();
    for (boolean yes : new boolean[] {true, false}) {
      payouts.add(
          Row.of("label", market.side(yes).label(), "token_id", market.side(yes).tokenId())
              .with("payout", closed ? (market.comesTrue() == yes ? 1 : 0) : null));
    }
    return Row.of("condition_id", market.conditionId(), "market_slug", market.slug())
        .with("resolved", closed)
        .with("winning_side", closed ? market.winner() : null)
        .with("resolved_at", closed ? market.end().getEpochSecond() : null)
        .with("expected_at", market.end().getEpochSecond())
        .with("oracle_state", question.state())
        .with("source", Venue.ORACLE.word())
        .with("payouts", payouts);
  }

  private static Row events(Ask ask, String name, Predicate<String> type) {
    List<Row> rows =
        questions(ask).stream()
            .flatMap(question -> question.events().stream())
            .filter(event -> type.test(event.text("event_type")))
            .sorted(Comparator.comparingDouble((Row row) -> -row.number("block_timestamp")))
            .toList();
    return Page.byKey(ask, new Row(), name, rows, 50, 100);
  }
}
