package dev.octroi.war;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A look into the virtual machine of a server, by the JDK's own tool. */
record LiveJvm(long pid) {

  private static final Pattern THREAD = Pattern.compile("^\"([^\"]+)\"", Pattern.MULTILINE);

  /** How many objects of a class are reachable, counted after a full garbage collection. */
  long reachable(String type) throws IOException, InterruptedException {
    Pattern row =
        Pattern.compile(
            "^ *[0-9]+: +([0-9]+) +[0-9]+ +" + Pattern.quote(type) + "( .*)?$", Pattern.MULTILINE);
    Matcher rows = row.matcher(ask("GC.class_histogram"));
    long count = 0;
    while (rows.find()) {
      count += Long.parseLong(rows.group(1));
    }
    return count;
  }

  /** The names of its threads; those of one kind, which differ by a number, as one. */
  Set<String> threads() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    Matcher thread = THREAD.matcher(ask("Thread.print"));
    while (thread.find()) {
      names.add(thread.group(1).replaceAll("[0-9]+", "N"));
    }
    return names;
  }

  private String ask(String command) throws IOException, InterruptedException {
    String tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process asking =
        new ProcessBuilder(tool, Long.toString(pid), command).redirectErrorStream(true).start();
    String answer = new String(asking.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (asking.waitFor() != 0) {
      throw new IOException(answer);
    }
    return answer;
  }
}
