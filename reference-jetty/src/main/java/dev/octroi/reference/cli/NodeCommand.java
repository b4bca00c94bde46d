package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** One node of a running gateway: the one that answers at the address. */
@Command(
    name = "node",
    description = "Show whether a node wants calls, and drain it before you stop it.")
final class NodeCommand implements Callable<Integer> {

  @Mixin private AdminOptions admin = new AdminOptions();

  @Override
  public Integer call() throws IOException {
    return show(admin, admin.client().get("node"));
  }

  @Command(
      name = "drain",
      description = "Have /health/ready answer 503, so that balancers send no more calls.")
  int drain(@Mixin AdminOptions options) throws IOException {
    return show(options, options.client().post("node/drain", AdminClient.object()));
  }

  @Command(name = "resume", description = "End a drain.")
  int resume(@Mixin AdminOptions options) throws IOException {
    return show(options, options.client().post("node/resume", AdminClient.object()));
  }

  private static int show(AdminOptions options, JsonNode node) {
    String state = node.path("draining").asBoolean() ? "draining" : "wants calls";
    return options.say(node, Table.cell(node, "node") + " " + state);
  }
}
