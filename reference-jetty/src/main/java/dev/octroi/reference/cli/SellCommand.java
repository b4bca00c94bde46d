package dev.octroi.reference.cli;

import dev.octroi.payments.Usd;
import dev.octroi.reference.ReferenceGateway;
import dev.octroi.reference.cli.ServeCommand.Banner;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Serves one route, to a server of the seller's, and none of the built-in groups. */
@Command(
    name = "sell",
    description = "Sell a server of your own by the call: sandbox money, unless --pay-to is given.",
    footer = {
      "",
      "Give a header that your server wants, such as your key for it, in the environment:",
      "GATEWAY_ROUTES_API_HEADER_AUTHORIZATION='Bearer ...'."
    })
final class SellCommand implements Callable<Integer> {

  private static final String WORD = "api";
  private static final String ROUTE = "gateway.routes." + WORD + ".";

  @Parameters(
      paramLabel = "TARGET",
      description = "The server to sell, such as http://127.0.0.1:9000.")
  private @Nullable URI target;

  @Option(
      names = "--price",
      paramLabel = "USD",
      description = "What a call costs, in dollars. May be left out only with --openapi.")
  private @Nullable Usd price;

  @Option(
      names = "--path",
      defaultValue = "/",
      description = "Path of the route. Default: ${DEFAULT-VALUE}.")
  private String path = "/";

  @Option(
      names = "--rule",
      paramLabel = "'POST /search=0.05'",
      description = "A different price for a method and path; may be repeated.")
  private List<String> rules = List.of();

  @Option(
      names = "--free",
      paramLabel = "PATH",
      description = "A path that is free, such as /about or '/public/*'; may be repeated.")
  private List<String> free = List.of();

  @Option(
      names = "--openapi",
      paramLabel = "FILE|URL",
      description = "The server's OpenAPI document: its operations are sold.")
  private @Nullable String openapi;

  @Option(names = "--description", description = "What is sold, in a sentence.")
  private String about = "";

  @Option(
      names = "--pay-to",
      paramLabel = "0x...",
      description = "Your address. Payments are then real. Needs --facilitator.")
  private @Nullable String payTo;

  @Option(
      names = "--facilitator",
      paramLabel = "URL",
      description = "Facilitator that settles the payments; may be repeated.")
  private List<URI> facilitators = List.of();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Write these settings to a new file, and end.")
  private @Nullable Path config;

  @Mixin private StartOptions given = new StartOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if ((payTo == null) != facilitators.isEmpty()) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(),
          "Give --pay-to and --facilitator together: the facilitator settles what --pay-to is paid");
    }
    Map<String, String> settings = settings();
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (config != null) {
      write(settings, config);
      out.printf("Start with it: java -jar %s --config %s%n", Banner.jar(), config);
      out.flush();
      return ExitCode.OK;
    }
    return ServeCommand.serve(given.options(settings), gateway -> tell(out, gateway));
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("gateway.groups", "");
    settings.put(ROUTE + "path", path);
    settings.put(ROUTE + "target", String.valueOf(target));
    if (!about.isBlank()) {
      settings.put(ROUTE + "description", about);
    }
    if (price != null) {
      settings.put(ROUTE + "price", price.dollars());
    }
    if (!rules.isEmpty()) {
      settings.put(ROUTE + "rules", String.join(",", rules));
    }
    if (!free.isEmpty()) {
      settings.put(ROUTE + "free", String.join(",", free));
    }
    if (openapi != null) {
      settings.put(ROUTE + "openapi", openapi);
    }
    if (payTo != null) {
      settings.put("gateway.payments.mode", "remote");
      settings.put("gateway.payments.pay-to", payTo);
      settings.put(
          "gateway.facilitator.urls",
          String.join(",", facilitators.stream().map(URI::toString).toList()));
    }
    return settings;
  }

  /** As a properties file, in the order of the options. */
  private static void write(Map<String, String> settings, Path file) throws IOException {
    StringBuilder lines = new StringBuilder();
    settings.forEach(
        (key, value) ->
            lines.append(key).append(" = ").append(value.replace("\\", "\\\\")).append('\n'));
    try {
      Files.writeString(file, lines, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new IOException(
          "The file " + file + " exists already. Give another name, or remove it", e);
    }
  }

  private void tell(PrintWriter out, ReferenceGateway gateway) {
    String lies = path.equals("/") ? "/" : path;
    out.printf("Octroi is ready on %s%n", gateway.baseUrl());
    out.printf("  sells       %s%n", target);
    out.printf("  at          %s%s%n", gateway.baseUrl(), lies);
    if (gateway.isSandbox()) {
      out.println("  money       sandbox: worthless; --pay-to and --facilitator make it real");
    }
    out.println();
    out.println("Make a paid call:");
    out.printf(
        "  java -jar %s pay%s %s%s%n",
        Banner.jar(), Banner.folder(given.data().toString()), gateway.baseUrl(), lies);
    out.printf("What is sold, for people and for programs: %s/docs%n", gateway.ownUrl());
    out.flush();
  }
}
