package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Operators of a running gateway. */
@Command(
    name = "operators",
    description = "Create, list and revoke operators of a running gateway.")
final class OperatorsCommand {

  @Command(name = "create", description = "Create an operator. The token is shown once.")
  int create(
      @Mixin AdminOptions admin,
      @Option(names = "--name", required = true, paramLabel = "NAME", description = "Who it is.")
          String name,
      @Option(
              names = "--role",
              required = true,
              paramLabel = "ROLE",
              description = "read, act or admin.")
          String role)
      throws IOException {
    JsonNode issued =
        admin.client().post("operators", AdminClient.object().put("name", name).put("role", role));
    if (admin.json()) {
      admin.out().println(issued);
    } else {
      Table table = new Table("TOKEN", issued.path("token").asText());
      table.members(issued.path("operator"), "id", "name", "role").print(admin.out());
      admin.out().println("This is the only time that the token is shown.");
    }
    admin.out().flush();
    return ExitCode.OK;
  }

  @Command(name = "list", description = "List all operators.")
  int list(@Mixin AdminOptions admin) throws IOException {
    JsonNode operators = admin.client().get("operators").path("data");
    List<String> members = List.of("id", "name", "role", "state", "created");
    return admin.show(operators, Table.of("operators", operators, members));
  }

  @Command(
      name = "revoke",
      description = "Revoke operators' tokens, within 5 seconds on every node.")
  int revoke(
      @Mixin AdminOptions admin, @Parameters(paramLabel = "ID", arity = "1..*") List<UUID> ids)
      throws IOException {
    return admin.revoke("operators", ids);
  }
}
