package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Usd;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a new key may do. */
final class KeyOptions {

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
      Duration time = days.group(2).equals("d") ? Duration.ofDays(count) : Duration.ofHours(count);
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
