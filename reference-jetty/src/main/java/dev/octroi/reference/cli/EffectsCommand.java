package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Orders at vendors that cannot be undone, such as a leased number. */
@Command(
    name = "effects",
    description = "List orders at vendors whose outcome is unknown, and close them.")
final class EffectsCommand {

  private static final List<String> MEMBERS =
      List.of("id", "payment", "kind", "outcome", "begun", "vendorKey", "reference", "note");

  @Command(name = "list", description = "List effects of one outcome, the oldest first.")
  int list(
      @Mixin AdminOptions options,
      @Option(
              names = "--outcome",
              paramLabel = "WORD",
              defaultValue = "unknown",
              description = "done, not_done or unknown (the default).")
          String outcome)
      throws IOException {
    String query = AdminClient.query("effects?limit=100").with("outcome", outcome).text();
    return print(options, options.client().get(query).path("data"));
  }

  @Command(
      name = "close",
      description =
          "Close an effect with what its vendor told you. 'done' is recorded, 'not_done' is"
              + " refunded.")
  int close(
      @Mixin AdminOptions options,
      @Parameters(paramLabel = "EFFECT", description = "Id of the effect.") UUID effect,
      @Option(
              names = "--outcome",
              required = true,
              paramLabel = "WORD",
              description = "done or not_done.")
          String outcome,
      @Option(
              names = "--reference",
              paramLabel = "ID",
              description = "The vendor's id of the order.")
          @Nullable String reference,
      @Option(
              names = "--details",
              paramLabel = "TEXT",
              description = "Further details for the connector to keep.")
          @Nullable String details,
      @Option(
              names = "--reason",
              required = true,
              paramLabel = "TEXT",
              description = "Why; it is kept with the effect.")
          String reason)
      throws IOException {
    ObjectNode body = AdminClient.object().put("outcome", outcome).put("reason", reason);
    if (reference != null) {
      body.put("reference", reference);
    }
    if (details != null) {
      body.put("details", details);
    }
    return print(options, options.client().post("effects/" + effect + "/close", body));
  }

  private static int print(AdminOptions options, JsonNode found) {
    Iterable<JsonNode> effects = found.isArray() ? found : List.of(found);
    return options.show(found, Table.of("such effects", effects, MEMBERS));
  }
}
