package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Usd;
import java.io.IOException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** API keys of a running gateway. */
@Command(
    name = "keys",
    description = "Make, show, limit, replace and revoke API keys of a running gateway.")
final class KeysCommand {

  private static final int MOST = 10_000;

  @Command(
      name = "create",
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

  @Command(name = "list", description = "List all keys.")
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

  @Command(name = "show", description = "Show a key with its limits, spending and wallets.")
  int show(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID", description = "Id of the key.") UUID id)
      throws IOException {
    return print(admin, admin.client().get("keys/" + id));
  }

  @Command(
      name = "revoke",
      description = "Revoke keys for good. Every node refuses them within 5 seconds.")
  int revoke(
      @Mixin AdminOptions admin,
      @Parameters(paramLabel = "ID", arity = "1..*", description = "Ids of keys.") List<UUID> ids)
      throws IOException {
    return admin.revoke("keys", ids);
  }

  @Command(
      name = "rotate",
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

  /** What a new key may do. */
  static final class KeyOptions {

    private static final Pattern DAYS = Pattern.compile("([0-9]{1,5})([hd])");

    @Option(names = "--name", required = true, paramLabel = "N", description = "Name of the key.")
    private String name = "";

    @Option(
        names = "--account",
        paramLabel = "ID",
        description = "Account that pays. Default: a new one.")
    private @Nullable UUID account;

    @Option(names = "--fund", paramLabel = "USD", description = "Sandbox money for its wallets.")
    private @Nullable Usd fund;

    @Mixin private LimitOptions limits = new LimitOptions();

    @Option(
        names = "--groups",
        split = ",",
        paramLabel = "GROUP",
        description = "Groups that it may call, separated by commas. Default: all.")
    private List<String> groups = List.of();

    @Option(
        names = "--rate",
        paramLabel = "N",
        description = "Requests per minute. Default: the limit of every payer.")
    private @Nullable Integer rate;

    @Option(
        names = "--expires",
        paramLabel = "D",
        description =
            "When it expires: 30d, 12h, 2026-12-01 or 2026-12-01T12:00:00Z. Default: never.")
    private @Nullable String expires;

    ObjectNode body(AdminOptions admin) {
      ObjectNode body = AdminClient.object().put("name", name);
      if (account != null) {
        body.put("account", account.toString());
      }
      if (!groups.isEmpty()) {
        ArrayNode words = body.putArray("groups");
        groups.forEach(words::add);
      }
      if (rate != null) {
        body.put("requestsPerMinute", rate);
      }
      if (fund != null) {
        body.put("fund", fund.dollars());
      }
      limits.putInto(body);
      if (expires != null) {
        body.put("expires", end(expires, admin).toString());
      }
      return body;
    }

    private static Instant end(String text, AdminOptions admin) {
      Matcher days = DAYS.matcher(text);
      if (days.matches()) {
        long count = Long.parseLong(days.group(1));
        Duration time =
            days.group(2).equals("d") ? Duration.ofDays(count) : Duration.ofHours(count);
        return Clock.systemUTC().instant().plus(time);
      }
      try {
        return text.contains("T")
            ? Instant.parse(text)
            : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
      } catch (DateTimeException e) {
        throw admin.wrong(
            "'"
                + text
                + "' is not an end. Write --expires 30d, 12h, 2026-12-01 or 2026-12-01T12:00:00Z");
      }
    }
  }

  /** What a key may spend. A limit that is not named is left to the gateway. */
  static final class LimitOptions {

    private static final String NONE = "none";

    @Option(names = "--per-call", paramLabel = "USD|none", description = "Maximum price per call.")
    private @Nullable Limit perCall;

    @Option(names = "--daily", paramLabel = "USD|none", description = "Maximum of a day (UTC).")
    private @Nullable Limit daily;

    @Option(names = "--monthly", paramLabel = "USD|none", description = "Maximum of a month (UTC).")
    private @Nullable Limit monthly;

    boolean isEmpty() {
      return perCall == null && daily == null && monthly == null;
    }

    /** Adds the limits that were named; {@code none} is null. */
    void putInto(ObjectNode body) {
      put(body, "perCall", perCall);
      put(body, "daily", daily);
      put(body, "monthly", monthly);
    }

    private static void put(ObjectNode body, String member, @Nullable Limit limit) {
      if (limit != null) {
        body.put(member, limit.amount == null ? null : limit.amount.dollars());
      }
    }

    /**
     * An amount, or no limit.
     *
     * @param amount null for no limit
     */
    record Limit(@Nullable Usd amount) {

      /** Reads an amount or {@code none}. */
      static Limit typed(String text) {
        return new Limit(text.equals(NONE) ? null : Typed.amount(text));
      }
    }
  }
}
