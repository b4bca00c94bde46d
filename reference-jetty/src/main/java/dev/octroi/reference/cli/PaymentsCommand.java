package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.octroi.reference.cli.Octroi.Commands;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Payments of a running gateway. */
@Command(
    name = "payments",
    description = "Find payments of a running gateway, and close those that are in doubt.")
final class PaymentsCommand {

  /** States and events of a payment whose wire word is not the one for people. */
  private static final Map<String, String> WORDS =
      Map.of("claimed", "reserved", "released", "not charged", "in_doubt", "in doubt");

  @Command(
      name = "find",
      aliases = Commands.LIST,
      description = "List the payments that fit every option given, the latest first.")
  int find(
      @Mixin AdminOptions admin,
      @Option(
              names = "--state",
              paramLabel = "STATE",
              description = "reserved, settling, in-doubt, settled, not-charged or failed.")
          @Nullable String state,
      @Option(names = "--group", paramLabel = "GROUP", description = "Group or route of the call.")
          @Nullable String group,
      @Option(names = "--path", paramLabel = "TEXT", description = "A part of the call's path.")
          @Nullable String path,
      @Option(names = "--payer", paramLabel = "ADDRESS", description = "Wallet that paid.")
          @Nullable String payer,
      @Option(names = "--nonce", paramLabel = "NONCE", description = "Nonce of the authorization.")
          @Nullable String nonce,
      @Option(
              names = "--transaction",
              paramLabel = "HASH",
              description = "Transaction that settled it.")
          @Nullable String transaction,
      @Option(names = "--request-id", paramLabel = "ID", description = "X-Request-Id of the call.")
          @Nullable String requestId,
      @Option(names = "--key", paramLabel = "ID", description = "API key that paid.")
          @Nullable UUID key,
      @Option(names = "--since", paramLabel = "TIME", description = "Default: 7 days ago.")
          @Nullable String since,
      @Option(names = "--until", paramLabel = "TIME", description = "Default: now.")
          @Nullable String until,
      @Option(
              names = "--most",
              paramLabel = "N",
              defaultValue = "100",
              description = "How many at most. Default: ${DEFAULT-VALUE}.")
          int most)
      throws IOException {
    String query =
        AdminClient.query("payments")
            .with("state", state == null ? null : wire(state))
            .with("group", group)
            .with("path", path)
            .with("payer", payer)
            .with("nonce", nonce)
            .with("transaction", transaction)
            .with("requestId", requestId)
            .with("key", key)
            .with("since", since)
            .with("until", until)
            .text();
    ArrayNode payments = admin.client().all(query, most);
    Table table =
        Table.list(
            "payments that fit", "ID", "STATE", "AMOUNT", "PAYER", "METHOD", "PATH", "TRANSACTION");
    payments.forEach(
        payment ->
            table.row(
                Table.cell(payment, "id"),
                shown(Table.cell(payment, "state")),
                Table.cell(payment, payment.hasNonNull("charged") ? "charged" : "amount"),
                Table.cell(payment, "payer"),
                Table.cell(payment, "method"),
                Table.cell(payment, "path"),
                Table.cell(payment, "transaction")));
    return admin.show(payments, table);
  }

  @Command(name = "show", description = "Show a payment with its timeline and journal.")
  int show(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID", description = "Id of the payment.") UUID id)
      throws IOException {
    return print(admin, admin.client().get("payments/" + id));
  }

  @Command(name = "unresolved", description = "List the payments in doubt, the oldest first.")
  int unresolved(@Mixin AdminOptions admin) throws IOException {
    JsonNode payments = admin.client().get("payments/unresolved?limit=100").path("data");
    List<String> members =
        List.of("id", "since", "amount", "payer", "network", "validBefore", "transaction");
    return admin.show(payments, Table.of("payments in doubt", payments, members));
  }

  @Command(
      name = "redrive",
      description = "Ask the chain now what became of a payment, and close it if that is certain.")
  int redrive(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID", description = "Id of the payment.") UUID id)
      throws IOException {
    return print(admin, admin.client().post("payments/" + id + "/redrive", AdminClient.object()));
  }

  @Command(
      name = "write-off",
      description = "Close a payment in doubt as failed, after its authorization has ended.")
  int writeOff(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID", description = "Id of the payment.") UUID id,
      @Option(
              names = "--reason",
              required = true,
              paramLabel = "TEXT",
              description = "Why; it is kept with the payment.")
          String reason)
      throws IOException {
    return print(
        admin,
        admin
            .client()
            .post("payments/" + id + "/write-off", AdminClient.object().put("reason", reason)));
  }

  private static int print(AdminOptions admin, JsonNode payment) {
    Table table = new Table("PAYMENT", Table.cell(payment, "id"));
    table.row("state", shown(Table.cell(payment, "state")));
    table.members(
        payment,
        "amount",
        "charged",
        "refunded",
        "payer",
        "network",
        "nonce",
        "key",
        "group",
        "method",
        "path",
        "requestId",
        "transaction",
        "status",
        "reason",
        "upstream");
    payment
        .path("timeline")
        .forEach(event -> table.row(Table.cell(event, "at"), shown(Table.cell(event, "what"))));
    payment
        .path("journal")
        .forEach(
            line ->
                table.row(
                    Table.cell(line, "at"),
                    Table.cell(line, "amount")
                        + " from "
                        + Table.cell(line, "debit")
                        + " to "
                        + Table.cell(line, "credit")));
    return admin.show(payment, table);
  }

  /** The interface's word for a state that people name. */
  private static String wire(String shown) {
    return WORDS.entrySet().stream()
        .filter(one -> one.getValue().equals(shown.replace('-', ' ')))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(shown);
  }

  private static String shown(String word) {
    return WORDS.getOrDefault(word, word);
  }
}
