package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The managed wallets of a running gateway. */
@Command(
    name = "wallets",
    description = "List the wallets that a running gateway keeps for its accounts.")
final class WalletsCommand {

  private static final int MOST = 10_000;

  @Command(name = "list", description = "List all wallets, with their balances.")
  int list(@Mixin AdminOptions admin) throws IOException {
    ArrayNode accounts = admin.client().all("wallets", MOST);
    Table table = Table.list("wallets", "ACCOUNT", "NAME", "KIND", "ADDRESS", "BALANCE");
    for (JsonNode account : accounts) {
      for (JsonNode wallet : account.path("wallets")) {
        table.row(
            Table.cell(account, "account"),
            Table.cell(account, "name"),
            Table.cell(wallet, "kind"),
            Table.cell(wallet, "address"),
            balance(account, Table.cell(wallet, "address")));
      }
    }
    return admin.show(accounts, table);
  }

  private static String balance(JsonNode account, String address) {
    for (JsonNode balance : account.path("balances")) {
      if (Table.cell(balance, "address").equals(address)) {
        return Table.cell(balance, "balance");
      }
    }
    return "";
  }

  @Command(name = "reseal", description = "Seal all wallets under the newest master key.")
  int reseal(@Mixin AdminOptions options) throws IOException {
    JsonNode done = options.client().post("wallets/reseal", AdminClient.object());
    return options.say(done, done.path("resealed") + " resealed");
  }
}
