package dev.octroi.reference.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;

/**
 * The commands. Only those that are asked for are made: to read the options of all of them takes a
 * tenth of the time that a gateway has to be ready in.
 */
final class Commands {

  private static final Map<String, Supplier<Object>> ALL = all();

  private Commands() {}

  private static Map<String, Supplier<Object>> all() {
    Map<String, Supplier<Object>> all = new LinkedHashMap<>();
    all.put("serve", ServeCommand::new);
    all.put("doctor", DoctorCommand::new);
    all.put("pay", PayCommand::new);
    all.put("demo", DemoCommand::new);
    all.put("sell", SellCommand::new);
    all.put("sandbox", SandboxCommand::new);
    all.put("keys", KeysCommand::new);
    all.put("wallets", WalletsCommand::new);
    all.put("payments", PaymentsCommand::new);
    all.put("prices", PricesCommand::new);
    all.put("changes", ChangesCommand::new);
    all.put("books", BooksCommand::new);
    all.put("refunds", RefundsCommand::new);
    all.put("effects", EffectsCommand::new);
    all.put("node", NodeCommand::new);
    all.put("operators", OperatorsCommand::new);
    all.put("completion", CompletionCommand::new);
    return all;
  }

  /** Whether that is the name of a command. */
  static boolean isOne(String word) {
    return ALL.containsKey(word);
  }

  /** Adds those that these arguments may mean; all of them where none is named but asked about. */
  static void addTo(CommandLine line, String... arguments) {
    List<String> given = Arrays.asList(arguments);
    boolean named = ALL.keySet().stream().anyMatch(given::contains);
    boolean serves = given.isEmpty() || given.get(0).startsWith("-");
    boolean asked = given.contains("--help") || given.contains("-h");
    if (asked || !serves) {
      line.addSubcommand("help", new HelpCommand());
    }
    ALL.forEach(
        (name, command) -> {
          if (given.contains(name) || (!named && (asked || !serves))) {
            line.addSubcommand(name, command.get());
          }
        });
  }
}
