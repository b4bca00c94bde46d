package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** API keys of a running gateway. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    description = "Make, show, limit, replace and revoke API keys of a running gateway.")
final class KeysCommand {

  private static final int MOST = 10_000;

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Make a key, with an account and wallets of its own. The secret is shown once.")
  int create(@Mixin AdminOptions admin, @Mixin KeyOptions key) throws IOException {
    JsonNode issued = admin.client().post("keys", key.body(admin));
    if (admin.json()) {
      admin.out().println(issued);
    } else {
      Table table = new Table("KEY", issued.path("secret").asText());
      JsonNode shown = issued.path("key");
      table.members(shown.path("key"), "id", "account");
      wallets(table, shown);
      table.print(admin.out());
      admin.out().println("Keep the key: it is not shown again.");
    }
    admin.out().flush();
    return ExitCode.OK;
  }

  @Command(name = "list", mixinStandardHelpOptions = true, description = "List all keys.")
  int list(
      @Mixin AdminOptions admin,
      @Option(names = "--account", paramLabel = "ID", description = "Only those of this account.")
          @Nullable UUID account)
      throws IOException {
    String path = account == null ? "keys" : "keys?account=" + account;
    ArrayNode keys = admin.client().all(path, MOST);
    List<String> members =
        List.of(
            "id",
            "name",
            "state",
            "prefix",
            "groups",
            "limits.perCall",
            "limits.daily",
            "limits.monthly");
    return admin.show(keys, Table.of("keys", keys, members));
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show a key with its limits, spending and wallets.")
  int show(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID", description = "Id of the key.") UUID id)
      throws IOException {
    return print(admin, admin.client().get("keys/" + id));
  }

  @Command(
      name = "revoke",
      mixinStandardHelpOptions = true,
      description = "Revoke keys for good. Every node refuses them within 5 seconds.")
  int revoke(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID", arity = "1..*", description = "Ids of keys.") List<UUID> ids)
      throws IOException {
    return admin.revoke("keys", ids);
  }

  @Command(
      name = "rotate",
      mixinStandardHelpOptions = true,
      description = "Give a key a new secret. The old one works until the overlap ends.")
  int rotate(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID", description = "Id of the key.") UUID id,
      @Option(
              names = "--overlap",
              paramLabel = "SECONDS",
              defaultValue = "86400",
              description = "How long the old secret works. Default: a day.")
          long overlap)
      throws IOException {
    ObjectNode body = AdminClient.object().put("overlapSeconds", overlap);
    JsonNode issued = admin.client().post("keys/" + id + "/rotate", body);
    return admin.say(issued, issued.path("secret").asText());
  }

  @Command(
      name = "limits",
      mixinStandardHelpOptions = true,
      description = "Change the limits that are named, and leave the others as they are.")
  int limits(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID", description = "Id of the key.") UUID id,
      @Mixin LimitOptions limits)
      throws IOException {
    if (limits.isEmpty()) {
      throw admin.wrong("Name a limit: --per-call, --daily or --monthly, each USD or none");
    }
    ObjectNode body = AdminClient.object();
    limits.putInto(body);
    admin.client().put("keys/" + id + "/limits", body);
    return print(admin, admin.client().get("keys/" + id));
  }

  private static int print(AdminOptions admin, JsonNode shown) {
    JsonNode key = shown.path("key");
    Table table = new Table("KEY", Table.cell(key, "id"));
    table.members(
        key, "name", "account", "state", "prefix", "groups", "created", "expires", "revoked");
    for (String limit : List.of("perCall", "daily", "monthly")) {
      String amount = Table.cell(key.path("limits"), limit);
      table.row(limit, amount.isEmpty() ? "no limit" : amount);
    }
    table.members(shown, "spentToday", "spentThisMonth");
    wallets(table, shown);
    return admin.show(shown, table);
  }

  private static void wallets(Table table, JsonNode shown) {
    shown
        .path("wallets")
        .forEach(
            wallet ->
                table.row(
                    Table.cell(wallet, "network"),
                    Table.cell(wallet, "address") + " " + balance(wallet)));
  }

  static String balance(JsonNode wallet) {
    String balance = Table.cell(wallet, "balance");
    return balance.isEmpty() ? "balance unknown" : balance + " USD";
  }
}
