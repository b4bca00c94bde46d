package dev.octroi.services.read;

import dev.octroi.services.Answer;
import dev.octroi.services.Deadline;
import java.util.List;
import java.util.Map;

/** Runs the reads of one group. Thread-safe. */
public interface Reads {

  /**
   * Checks the parameters, asks the upstream or the freshness cache, and returns the answer.
   *
   * @param row which read
   * @param path decoded path parameters by name
   * @param query decoded query parameters in order of appearance; those that the row does not list
   *     are forwarded
   * @param deadline when the call must have ended
   * @throws dev.octroi.services.Failure for a bad parameter and for an upstream that gives no
   *     answer
   */
  Answer read(
      Read row, Map<String, String> path, Map<String, List<String>> query, Deadline deadline);

  /** How its memory of fresh answers is doing; zeros where there is none. */
  default CacheFigures cacheFigures() {
    return new CacheFigures(0, 0);
  }

  /**
   * What a memory of answers has been good for since the start.
   *
   * @param hits how often an answer was there and fresh
   * @param misses how often there was none
   */
  record CacheFigures(long hits, long misses) {}
}
