package dev.octroi.sandbox.cryptodata;

import dev.octroi.sandbox.vendor.Seeded;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What a wallet did: its transactions and the tokens it moved. */
record WalletActivity(World world) implements Family {

  private static final long GAP = 5 * Spans.HOUR;

  @Override
  public Map<String, Reading> readings() {
    return Map.of(
        "GET /wallet/history", this::history,
        "GET /wallet/transfers", this::transfers);
  }

  private List<Transfer> all(String address, String chain) {
    Timeline timeline = new Timeline("wallet:" + address + chain, GAP, world.now());
    int count = (int) Seeded.of("activity", address, chain).whole(60, 180);
    return IntStream.range(0, count)
        .mapToObj(index -> Transfer.ofWallet(address, timeline, index))
        .toList();
  }

  private Fields history(Ask ask) {
    long before = ask.maybe("before").map(Long::parseLong).orElse(Long.MAX_VALUE);
    List<Fields> rows =
        all(world.address(ask), ask.text("chain")).stream()
            .filter(moved -> moved.time() < before)
            .map(WalletActivity::transaction)
            .toList();
    return Answers.page(ask, sortedByText(rows, ask));
  }

  /** The value is text on the wire, so the number is put beside it only to sort. */
  private static List<Fields> sortedByText(List<Fields> rows, Ask ask) {
    String field = ask.text("sort_by");
    rows.forEach(row -> row.put("sorted", Double.valueOf(String.valueOf(row.get(field)))));
    List<Fields> sorted = Answers.sorted(rows, "sorted", ask.text("order"));
    sorted.forEach(row -> row.remove("sorted"));
    return sorted;
  }

  private static Fields transaction(Transfer moved) {
    return Fields.of("from_address", moved.from())
        .and("from_label", Labels.of(moved.from()))
        .and("timestamp", moved.time())
        .and("to_address", moved.to())
        .and("to_label", Labels.of(moved.to()))
        .and("tx_hash", moved.hash())
        .and("tx_type", "send")
        .and("value", moved.amountText());
  }

  private Fields transfers(Ask ask) {
    String address = world.address(ask);
    List<Fields> rows =
        all(address, ask.text("chain")).stream()
            .filter(moved -> ask.maybe("token").map(token -> isOf(moved, token)).orElse(true))
            .map(moved -> transfer(moved, address))
            .filter(row -> ask.accepts("flow", row.get("flow")))
            .toList();
    return Answers.page(ask, rows);
  }

  private static boolean isOf(Transfer moved, String token) {
    return moved.token().contract().equalsIgnoreCase(token)
        || moved.token().symbol().equalsIgnoreCase(token);
  }

  private static Fields transfer(Transfer moved, String address) {
    return Fields.of("activity_type", "transfer")
        .and("amount", moved.amountText())
        .and("amount_usd", moved.usd())
        .and("flow", moved.to().equals(address) ? "in" : "out")
        .and("from_address", moved.from())
        .and("from_label", Labels.of(moved.from()))
        .and("timestamp", moved.time())
        .and("to_address", moved.to())
        .and("to_label", Labels.of(moved.to()))
        .and("token_address", moved.token().contract())
        .and("token_symbol", moved.token().symbol())
        .and("tx_hash", moved.hash());
  }
}
