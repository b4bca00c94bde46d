package dev.octroi.api.voice;

import dev.octroi.services.Deadline;
import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import dev.octroi.services.voice.VoiceCalls;
import dev.octroi.services.voice.VoiceCalls.CallOrder;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import dev.octroi.services.voice.VoiceCalls.Placed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A network of telephones on which calls go as a test says. */
final class Telephone implements VoiceCalls {

  private final Map<String, CallReport> calls = new ConcurrentHashMap<>();
  private final Map<String, String> byKey = new ConcurrentHashMap<>();
  private final List<String> stopped = new CopyOnWriteArrayList<>();
  private volatile boolean down;
  private volatile boolean losesAnswers;

  /** From now on a call stands so. */
  void says(String reference, CallReport report) {
    calls.put(reference, report);
  }

  void says(String reference, CallStatus status) {
    says(reference, CallReport.of(status));
  }

  void forgets(String reference) {
    calls.remove(reference);
  }

  void isDown(boolean now) {
    down = now;
  }

  void losesAnswers(boolean now) {
    losesAnswers = now;
  }

  /** The references of the calls that were ended, each as often as it was. */
  List<String> stopped() {
    return stopped;
  }

  int placed() {
    return byKey.size();
  }

  @Override
  public void requireReachable() {
    requireUp();
  }

  @Override
  public Placed start(CallOrder order, String key, Deadline deadline) {
    String reference = "v-" + (byKey.size() + 1);
    if (byKey.putIfAbsent(key, reference) != null) {
      throw new IllegalStateException("dialled twice: " + key);
    }
    says(reference, CallStatus.INITIATED);
    return losesAnswers ? new Placed.Unknown() : new Placed.Done(reference);
  }

  @Override
  public Optional<CallReport> read(String reference, Deadline deadline) {
    requireUp();
    return Optional.ofNullable(calls.get(reference));
  }

  @Override
  public boolean stop(String reference, Deadline deadline) {
    requireUp();
    CallReport report = calls.get(reference);
    if (report == null || report.status().hasEnded()) {
      return false;
    }
    stopped.add(reference);
    says(reference, CallStatus.COMPLETED);
    return true;
  }

  @Override
  public Placed transfer(String reference, String to, Deadline deadline) {
    return new Placed.Done(reference);
  }

  @Override
  public Optional<String> find(CallOrder order, String key, Instant since, Deadline deadline) {
    requireUp();
    return Optional.ofNullable(byKey.get(key));
  }

  private void requireUp() {
    if (down) {
      throw new Failure(ErrorCode.UPSTREAM_UNAVAILABLE, "down");
    }
  }
}
