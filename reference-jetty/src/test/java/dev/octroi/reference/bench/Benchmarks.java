package dev.octroi.reference.bench;

import java.io.PrintStream;
import java.util.Collection;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of this package for some seconds each and prints a table. */
public final class Benchmarks {

  private static final int WARM_UP_SECONDS = 2;
  private static final int MEASUREMENTS = 6;
  private static final int MEASURED_MILLIS = 500;

  private Benchmarks() {}

  /** Takes regular expressions of benchmark names; without any, all are run. */
  public static void main(String[] patterns) throws RunnerException {
    Collection<RunResult> results = new Runner(options(patterns)).run();
    print(results, System.out);
  }

  private static Options options(String... patterns) {
    OptionsBuilder options = new OptionsBuilder();
    for (String pattern : patterns.length == 0 ? new String[] {"dev.octroi"} : patterns) {
      options.include(pattern);
    }
    return options
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.MICROSECONDS)
        .warmupIterations(WARM_UP_SECONDS)
        .warmupTime(TimeValue.seconds(1))
        .measurementIterations(MEASUREMENTS)
        .measurementTime(TimeValue.milliseconds(MEASURED_MILLIS))
        .forks(1)
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true)
        .build();
  }

  private static void print(Collection<RunResult> results, PrintStream out) {
    out.printf("Java %s, one thread%n%n", Runtime.version());
    out.println("| Benchmark | µs | ± |");
    out.println("|---|---:|---:|");
    results.stream().map(Benchmarks::row).sorted().forEach(out::println);
  }

  private static String row(RunResult result) {
    BenchmarkParams run = result.getParams();
    String name = run.getBenchmark().replaceFirst(".*\\.(\\w+\\.\\w+)$", "$1");
    for (String parameter : run.getParamsKeys()) {
      name += " " + parameter + "=" + run.getParam(parameter);
    }
    Result<?> time = result.getPrimaryResult();
    return String.format(
        Locale.ROOT, "| %s | %.2f | %.2f |", name, time.getScore(), time.getScoreError());
  }
}
