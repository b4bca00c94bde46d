package dev.octroi.sandbox.voice;

import dev.octroi.sandbox.vendor.Figures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call, which is what its age makes of it; a second of it counts as a minute. Thread-safe. */
final class SandboxCall {

  private static final double MILLIS_A_MINUTE = 1_000;

  private final String id;
  private final Order order;
  private final Plot plot;
  private final List<Talk.Turn> turns;
  private final Instant created;
  private volatile @Nullable Instant stopped;
  private volatile @Nullable String transferredTo;

  SandboxCall(String id, Order order, Instant created) {
    this.id = id;
    this.order = order;
    this.plot = Plot.of(order.to());
    this.turns = Talk.of(order, plot);
    this.created = created;
  }

  String id() {
    return id;
  }

  Order order() {
    return order;
  }

  Instant created() {
    return created;
  }

  private Instant answered() {
    return created.plus(plot.unanswered());
  }

  /** When it ends, or has ended. */
  Instant end() {
    Instant own = answered().plus(plot.talk());
    Instant cut = stopped;
    return cut != null && cut.isBefore(own) ? cut : own;
  }

  boolean hasEnded(Instant now) {
    return !now.isBefore(end());
  }

  private boolean wasAnswered(Instant now) {
    return plot.isAnswered() && !now.isBefore(answered()) && end().isAfter(answered());
  }

  /** Ends it; false if it has ended. */
  synchronized boolean stop(Instant now) {
    if (hasEnded(now)) {
      return false;
    }
    stopped = now;
    return true;
  }

  /** Hands it over; false unless it was answered and goes on. */
  synchronized boolean transfer(String number, Instant now) {
    if (hasEnded(now) || !wasAnswered(now)) {
      return false;
    }
    transferredTo = number;
    return true;
  }

  /** As the vendor lists it. */
  Map<String, @Nullable Object> summary(Instant now) {
    Map<String, @Nullable Object> summary = new LinkedHashMap<>();
    summary.put("call_id", id);
    summary.put("created_at", created.toString());
    summary.put("call_length", minutes(now));
    summary.put("to", order.to());
    summary.put("from", order.from());
    summary.put("completed", hasEnded(now));
    summary.put("queue_status", stage(now));
    summary.put("error_message", null);
    summary.put("answered_by", wasAnswered(now) || hasEnded(now) ? answeredBy() : null);
    summary.put("batch_id", null);
    return summary;
  }

  /** As the vendor describes it. */
  Map<String, @Nullable Object> details(Instant now) {
    Map<String, @Nullable Object> details = summary(now);
    List<Talk.Turn> said = said(now);
    details.put("metadata", order.metadata());
    details.put("max_duration", order.maxMinutes());
    details.put("started_at", wasAnswered(now) ? answered().toString() : null);
    details.put("end_at", hasEnded(now) ? end().toString() : null);
    details.put("status", hasEnded(now) ? ending() : null);
    details.put("transferred_to", transferredTo);
    details.put(
        "recording_url",
        hasEnded(now) && wasAnswered(now) ? "https://recordings.example/" + id + ".wav" : null);
    details.put(
        "concatenated_transcript",
        said.isEmpty()
            ? null
            : String.join(
                " \n ", said.stream().map(turn -> turn.speaker() + ": " + turn.text()).toList()));
    details.put(
        "transcripts",
        said.stream()
            .map(turn -> Map.of("user", turn.speaker(), "text", turn.text(), "c_id", id))
            .toList());
    return details;
  }

  private String stage(Instant now) {
    if (hasEnded(now)) {
      return "complete";
    }
    if (wasAnswered(now)) {
      return "started";
    }
    return now.isBefore(created.plus(plot.queued())) ? "queued" : "allocated";
  }

  /** What would have been answered, but was stopped before, was canceled. */
  private String ending() {
    return plot.isAnswered() && !end().isAfter(answered()) ? "canceled" : plot.end();
  }

  private @Nullable String answeredBy() {
    return plot.answeredBy().isEmpty() ? null : plot.answeredBy();
  }

  private double minutes(Instant now) {
    if (!wasAnswered(now)) {
      return 0;
    }
    Instant until = hasEnded(now) ? end() : now;
    return Figures.round(Duration.between(answered(), until).toMillis() / MILLIS_A_MINUTE, 2);
  }

  /** The turns so far: an endless call has all of them and then silence. */
  private List<Talk.Turn> said(Instant now) {
    if (!wasAnswered(now)) {
      return List.of();
    }
    Duration talk = plot == Plot.ENDLESS ? Plot.ANSWERED.talk() : plot.talk();
    Instant until = hasEnded(now) ? end() : now;
    double part = (double) Duration.between(answered(), until).toMillis() / talk.toMillis();
    int spoken = (int) Math.ceil(Math.min(1, part) * turns.size());
    return new ArrayList<>(turns.subList(0, Math.min(turns.size(), Math.max(1, spoken))));
  }
}
