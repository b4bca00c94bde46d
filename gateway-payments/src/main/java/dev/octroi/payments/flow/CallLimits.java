package dev.octroi.payments.flow;

import dev.octroi.payments.body.ArrivingBody;
import dev.octroi.payments.body.BodyBuffer;
import dev.octroi.payments.body.BodyMemory;
import dev.octroi.payments.body.BodyMemory.ByteBudget;
import dev.octroi.payments.body.BodyPace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * What a paid call may take up.
 *
 * @param call how long a call may take, if its authorization lives long enough
 * @param body longest request body in bytes
 * @param bodiesInMemory bytes that all request bodies together may take up in memory; on disk they
 *     may take up {@value #DISK_TO_MEMORY} times as many, and what calls make of them may take
 *     {@value #WORKING} times as much memory
 * @param pace how fast a request body has to come
 * @param bodiesAwaited how many threads of the server may wait for request bodies at a time; a host
 *     that takes them in without a thread ({@link BodyBuffer#arriving}) has none
 * @param answerBytes longest answer that is not a stream, in bytes
 * @param spill where long request bodies are kept
 */
public record CallLimits(
    Duration call,
    long body,
    long bodiesInMemory,
    BodyPace pace,
    int bodiesAwaited,
    int answerBytes,
    Path spill) {

  private static final long DEFAULT_BODY = 4L << 20;
  private static final int DEFAULT_ANSWER = 8 << 20;
  private static final int SHARE_OF_HEAP = 8;
  private static final int DISK_TO_MEMORY = 64;

  /** Below what servers have of threads: Tomcat 200, Jetty 200. */
  private static final int DEFAULT_AWAITED = 64;

  /** What calls make of bodies may take so many times what the bodies themselves may. */
  private static final int WORKING = 3;

  /** Two minutes, bodies of 4 MiB out of an eighth of the heap, answers of 8 MiB. */
  public static CallLimits defaults() {
    return new CallLimits(
        Duration.ofMinutes(2),
        DEFAULT_BODY,
        Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP,
        BodyPace.DEFAULT,
        DEFAULT_AWAITED,
        DEFAULT_ANSWER,
        Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** What is wrong with them, one sentence each. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (call.compareTo(Duration.ofSeconds(1)) < 0) {
      problems.add("a call may take at least a second");
    }
    if (body < 0 || bodiesInMemory < ArrivingBody.MAX_IN_MEMORY) {
      problems.add("the memory for request bodies holds at least one of them");
    }
    if (pace.deadline().compareTo(Duration.ofSeconds(1)) < 0 || pace.bytesPerSecond() < 0) {
      problems.add("a request body may take at least a second");
    }
    if (bodiesAwaited < 1) {
      problems.add("at least one thread may wait for a request body");
    }
    return problems;
  }

  /** Room for request bodies within these limits, to be made once. */
  public BodyBuffer bodies() {
    return new BodyBuffer(
        body,
        new ByteBudget(bodiesInMemory),
        new ByteBudget(bodiesInMemory * DISK_TO_MEMORY),
        new BodyMemory(WORKING * bodiesInMemory),
        spill,
        pace,
        new Semaphore(bodiesAwaited));
  }
}
