package dev.octroi.reference.sandbox.cryptodata;

import dev.octroi.reference.sandbox.Seeded;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

  private Map<String, @Nullable Object> history(Ask ask) {
    long before = ask.maybe("before").map(Long::parseLong).orElse(Long.MAX_VALUE);
    List<Map<String, @Nullable Object>> rows =
        all(world.address(ask), ask.text("chain")).stream()
            .filter(moved -> moved.time() < before)
            .map(WalletActivity::transaction)
            .toList();
    return Answers.page(ask, sortedByText(rows, ask));
  }

  /** The value is text on the wire, so the number is put beside it only to sort. */
  private static List<Map<String, @Nullable Object>> sortedByText(
      List<Map<String, @Nullable Object>> rows, Ask ask) {
    String field = ask.text("sort_by");
    rows.forEach(row -> row.put("sorted", Double.valueOf(String.valueOf(row.get(field)))));
    List<Map<String, @Nullable Object>> sorted = Answers.sorted(rows, "sorted", ask.text("order"));
    sorted.forEach(row -> row.remove("sorted"));
    return sorted;
  }

  private static Map<String, @Nullable Object> transaction(Transfer moved) {
    return Fields.of(
        "from_address", moved.from(),
        "from_label", Labels.of(moved.from()),
        "timestamp", moved.time(),
        "to_address", moved.to(),
        "to_label", Labels.of(moved.to()),
        "tx_hash", moved.hash(),
        "tx_type", "send",
        "value", moved.amountText());
  }

  private Map<String, @Nullable Object> transfers(Ask ask) {
    String address = world.address(ask);
    List<Map<String, @Nullable Object>> rows =
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

  private static Map<String, @Nullable Object> transfer(Transfer moved, String address) {
    return Fields.of(
        "activity_type", "transfer",
        "amount", moved.amountText(),
        "amount_usd", moved.usd(),
        "flow", moved.to().equals(address) ? "in" : "out",
        "from_address", moved.from(),
        "from_label", Labels.of(moved.from()),
        "timestamp", moved.time(),
        "to_address", moved.to(),
        "to_label", Labels.of(moved.to()),
        "token_address", moved.token().contract(),
        "token_symbol", moved.token().symbol(),
        "tx_hash", moved.hash());
  }
}
