package dev.octroi.reference.cli;

import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a script by which a shell completes commands and options. */
@Command(
    name = "completion",
    description = "Print the script by which bash or zsh completes commands and options.",
    footer = {
      "",
      "Give the jar a name, and load the script:",
      "  alias octroi='java -jar /opt/octroi/octroi.jar'",
      "  source <(octroi completion)"
    })
final class CompletionCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.print(AutoComplete.bash("octroi", Octroi.commandLine("--help")));
    out.flush();
    return ExitCode.OK;
  }
}
