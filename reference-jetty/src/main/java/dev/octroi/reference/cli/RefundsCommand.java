package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Usd;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Money that a running gateway gives back. */
@Command(
    name = "refunds",
    description = "List the refunds that a running gateway owes, and give money back.")
final class RefundsCommand {

  private static final List<String> MEMBERS =
      List.of(
          "id", "payment", "amount", "state", "payer", "network", "reason", "transaction", "note");

  @Command(name = "list", description = "List the refunds that are owed.")
  int list(@Mixin AdminOptions admin) throws IOException {
    return print(admin, admin.client().get("refunds?limit=100").path("data"));
  }

  @Command(name = "pay", description = "Refund a settled payment, or a part of it.")
  int pay(
      @Mixin AdminOptions options,
      @Parameters(paramLabel = "PAYMENT", description = "Id of the payment.") UUID payment,
      @Option(
              names = "--amount",
              paramLabel = "USD",
              description = "How much, in dollars. Default: all that was charged and not refunded.")
          @Nullable Usd amount,
      @Option(
              names = "--reason",
              required = true,
              paramLabel = "TEXT",
              description = "Why; it is kept with the refund.")
          String reason,
      @Option(
              names = "--request-key",
              paramLabel = "KEY",
              description =
                  "A command repeated with the same KEY makes no second refund. Default: that of the"
                      + " amount and the reason.")
          @Nullable String requestKey)
      throws IOException {
    ObjectNode body = AdminClient.object().put("payment", payment.toString()).put("reason", reason);
    if (amount != null) {
      body.put("amount", amount.dollars());
    }
    if (requestKey != null) {
      body.put("requestKey", requestKey);
    }
    return print(options, options.client().post("refunds", body));
  }

  @Command(name = "paid", description = "Note that you paid a refund by a transaction of your own.")
  int paid(
      @Mixin AdminOptions options,
      @Parameters(paramLabel = "REFUND", description = "Id of the refund.") UUID refund,
      @Option(
              names = "--transaction",
              required = true,
              paramLabel = "HASH",
              description = "Your transaction.")
          String transaction)
      throws IOException {
    return print(
        options,
        options
            .client()
            .post(
                "refunds/" + refund + "/paid",
                AdminClient.object().put("transaction", transaction)));
  }

  private static int print(AdminOptions options, JsonNode found) {
    Iterable<JsonNode> refunds = found.isArray() ? found : List.of(found);
    return options.show(found, Table.of("refunds that are owed", refunds, MEMBERS));
  }
}
