package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Payments of a running gateway. */
@Command(
    name = "payments",
    mixinStandardHelpOptions = true,
    description =
        "Find payments of a running gateway, and decide those whose end no node has seen.")
final class PaymentsCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "what about payments? Name a command.");
  }

  @Command(
      name = "find",
      mixinStandardHelpOptions = true,
      description = "Find payments: all that fit what is given, the latest first.")
  int find(
      @Mixin AdminOptions admin,
      @Option(names = "--payer", paramLabel = "ADDRESS") @Nullable String payer,
      @Option(names = "--nonce", paramLabel = "NONCE") @Nullable String nonce,
      @Option(names = "--transaction", paramLabel = "HASH") @Nullable String transaction,
      @Option(names = "--request-id", paramLabel = "ID") @Nullable String requestId,
      @Option(names = "--key", paramLabel = "ID", description = "Of an API key.")
          @Nullable UUID key,
      @Option(names = "--since", paramLabel = "TIME", description = "Default: 7 days ago.")
          @Nullable String since,
      @Option(names = "--until", paramLabel = "TIME", description = "Default: now.")
          @Nullable String until,
      @Option(names = "--most", paramLabel = "N", defaultValue = "100") int most)
      throws IOException {
    Map<String, Object> given = new LinkedHashMap<>();
    given.put("payer", payer);
    given.put("nonce", nonce);
    given.put("transaction", transaction);
    given.put("requestId", requestId);
    given.put("key", key);
    given.put("since", since);
    given.put("until", until);
    given.values().removeIf(Objects::isNull);
    String query =
        given.entrySet().stream()
            .map(one -> one.getKey() + "=" + AdminClient.encoded(one.getValue().toString()))
            .collect(Collectors.joining("&"));
    ArrayNode payments =
        admin.client().all(query.isEmpty() ? "payments" : "payments?" + query, most);
    List<String> members =
        List.of("id", "state", "amount", "payer", "method", "path", "transaction");
    return admin.show(payments, Table.of(payments, members));
  }

  @Command(name = "show", mixinStandardHelpOptions = true, description = "Show a payment's life.")
  int show(@Mixin AdminOptions admin, @Parameters(paramLabel = "ID") UUID id) throws IOException {
    return print(admin, admin.client().get("payments/" + id));
  }

  @Command(
      name = "unresolved",
      mixinStandardHelpOptions = true,
      description = "List payments whose end no node has seen, the oldest first.")
  int unresolved(@Mixin AdminOptions admin) throws IOException {
    JsonNode payments = admin.client().get("payments/unresolved?limit=100").path("data");
    List<String> members =
        List.of("id", "since", "amount", "payer", "network", "validBefore", "transaction");
    return admin.show(payments, Table.of(payments, members));
  }

  @Command(
      name = "redrive",
      mixinStandardHelpOptions = true,
      description = "Ask the chain now what became of a payment.")
  int redrive(@Mixin AdminOptions admin, @Parameters(paramLabel = "ID") UUID id)
      throws IOException {
    return print(admin, admin.client().post("payments/" + id + "/redrive", AdminClient.object()));
  }

  @Command(
      name = "write-off",
      mixinStandardHelpOptions = true,
      description = "Give up a payment whose authorization is over.")
  int writeOff(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--reason", required = true, paramLabel = "TEXT") String reason)
      throws IOException {
    return print(
        admin,
        admin
            .client()
            .post("payments/" + id + "/write-off", AdminClient.object().put("reason", reason)));
  }

  private static int print(AdminOptions admin, JsonNode payment) {
    Table table = new Table("PAYMENT", Table.cell(payment, "id"));
    for (String member :
        List.of(
            "state",
            "amount",
            "payer",
            "network",
            "nonce",
            "key",
            "method",
            "path",
            "requestId",
            "transaction",
            "reason")) {
      table.row(member, Table.cell(payment, member));
    }
    payment
        .path("timeline")
        .forEach(event -> table.row(Table.cell(event, "at"), Table.cell(event, "what")));
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
}
