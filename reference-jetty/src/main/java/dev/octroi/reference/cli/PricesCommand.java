package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The price book of a running gateway. */
@Command(name = "prices", description = "List what a running gateway sells, and at what price.")
final class PricesCommand {

  @Command(name = "list", description = "List all that is sold, with its price.")
  int list(@Mixin AdminOptions admin) throws IOException {
    JsonNode prices = admin.client().get("prices").path("data");
    Table table = Table.list("prices", "METHOD", "PATH", "LIST", "PRICE", "NEXT", "FROM");
    prices.forEach(
        row -> table.row(row, "method", "path", "list", "price", "next.price", "next.from"));
    return admin.show(prices, table);
  }

  @Command(
      name = "explain",
      description = "Tell which line of the price book makes a price, now and next.")
  int explain(
      @Mixin AdminOptions options,
      @Parameters(paramLabel = "METHOD") String method,
      @Parameters(paramLabel = "PATH") String path,
      @Option(names = "--key", paramLabel = "ID", description = "For this API key.")
          @Nullable String key)
      throws IOException {
    String query =
        AdminClient.query("prices/explain")
            .with("method", method)
            .with("path", path)
            .with("key", key)
            .text();
    JsonNode row = options.client().get(query);
    JsonNode next = row.path("next");
    Table table = new Table("WHEN", "PRICE", "BY", "VERSION");
    table.row("list", Table.cell(row, "list"), "", "");
    table.row("now", Table.cell(row, "price"), Table.cell(row, "rule"), Table.cell(row, "version"));
    if (next.isObject()) {
      table.row(next, "from", "price", "rule", "version");
    }
    if (row.path("stillTaken").isTextual()) {
      table.row("still taken", Table.cell(row, "stillTaken"), "", "");
    }
    return options.show(row, table);
  }
}
