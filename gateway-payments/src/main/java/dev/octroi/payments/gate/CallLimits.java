package dev.octroi.payments.gate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a paid call may take up.
 *
 * @param call how long a call may take, if its authorization lives long enough
 * @param body longest request body in bytes
 * @param bodiesInMemory bytes that all request bodies together may take up in memory; what calls
 *     make of them may take three times as much
 * @param answerBytes longest answer that is not a stream, in bytes
 * @param spill where long request bodies are kept
 */
public record CallLimits(
    Duration call, long body, long bodiesInMemory, int answerBytes, Path spill) {

  private static final long DEFAULT_BODY = 4L << 20;
  private static final int DEFAULT_ANSWER = 8 << 20;
  private static final int SHARE_OF_HEAP = 8;

  /** What calls make of bodies may take so many times what the bodies themselves may. */
  private static final int WORKING = 3;

  /** Two minutes, bodies of 4 MiB out of an eighth of the heap, answers of 8 MiB. */
  public static CallLimits defaults() {
    return new CallLimits(
        Duration.ofMinutes(2),
        DEFAULT_BODY,
        Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP,
        DEFAULT_ANSWER,
        Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** What is wrong with them, one sentence each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (call.compareTo(Duration.ofSeconds(1)) < 0) {
      problems.add("a call may take at least a second");
    }
    if (body < 0 || bodiesInMemory < BodyBuffer.MAX_IN_MEMORY) {
      problems.add("the memory for request bodies holds at least one of them");
    }
    return problems;
  }

  BodyBuffer bodies() {
    return new BodyBuffer(
        body, new ByteBudget(bodiesInMemory), new BodyMemory(WORKING * bodiesInMemory), spill);
  }
}
