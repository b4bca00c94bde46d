package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PaidAnswer.Quote;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PayingClient.AnswerLost;
import dev.octroi.payments.client.PayingClient.PaymentDeclined;
import dev.octroi.payments.client.Signer;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Follows what outlives its request until it has ended: a job, which its own payment is for, or a
 * call, each reading of whose record is paid for. For one command.
 */
final class Watch {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ACCEPTED = 202;
  private static final int PAYMENT_REQUIRED = 402;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** A job may take long, and a call half an hour. */
  private static final Duration LONGEST = Duration.ofMinutes(40);

  private final HttpClient http;
  private final Signer signer;
  private final Duration pause;
  private final Consumer<String> progress;
  private Usd left;

  /**
   * Makes one.
   *
   * @param left what may still be spent
   * @param pause between two questions
   * @param progress where each answer's status is told
   */
  Watch(HttpClient http, Signer signer, Usd left, Duration pause, Consumer<String> progress) {
    this.http = http;
    this.signer = signer;
    this.left = left;
    this.pause = pause;
    this.progress = progress;
  }

  /** The last answer that was had: the end, unless the money or the time ran out before. */
  PaidAnswer follow(URI asked, PaidAnswer first) throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    PaidAnswer answer = first;
    JsonNode record = record(answer);
    URI poll = asked;
    while (isOpen(answer, record)) {
      progress.accept(told(record));
      if (System.nanoTime() > end) {
        progress.accept("gave up after " + LONGEST.toMinutes() + " minutes");
        return answer;
      }
      await();
      try {
        if (record.path("poll_url").isTextual()) {
          poll = asked.resolve(record.path("poll_url").asText());
        }
        answer = ask(HttpRequest.newBuilder(poll).timeout(TIMEOUT).build(), answer);
      } catch (PaymentDeclined e) {
        progress.accept("stopped: the next reading costs more than is left of --max, " + left);
        return answer;
      } catch (AnswerLost e) {
        progress.accept("stopped: " + e.getMessage() + " It was " + e.payment());
        return answer;
      } catch (IOException | IllegalArgumentException e) {
        // What was had so far tells where to go on.
        progress.accept("stopped: " + e.getMessage());
        return answer;
      }
      record = record(answer);
    }
    return answer;
  }

  /**
   * A job is asked for with its payment; a call's record, and a job whose payment expired, costs.
   */
  private PaidAnswer ask(HttpRequest poll, PaidAnswer before)
      throws IOException, InterruptedException {
    String payment = before.payment();
    if (before.status() == ACCEPTED && payment != null) {
      PaidAnswer answer = client().sendAgain(poll, payment);
      if (answer.status() != PAYMENT_REQUIRED) {
        return answer;
      }
    }
    PaidAnswer answer = client().send(poll);
    Quote quote = answer.quote();
    if (quote != null && answer.payment() != null) {
      left = new Usd(left.micros() - quote.price().micros());
    }
    return answer;
  }

  private PayingClient client() {
    return new PayingClient(http, signer, SpendingLimit.of(left));
  }

  /** What an answer says of a job or a call; missing where it is no success, or no JSON. */
  private static JsonNode record(PaidAnswer answer) {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    try {
      return answer.isSuccess() && type.contains("json")
          ? JSON.readTree(answer.body())
          : MissingNode.getInstance();
    } catch (IOException malformed) {
      return MissingNode.getInstance();
    }
  }

  private static boolean isOpen(PaidAnswer answer, JsonNode record) {
    boolean started = record.path("call_id").isTextual() && record.path("poll_url").isTextual();
    return answer.status() == ACCEPTED || started || isCallUnderWay(record);
  }

  private static boolean isCallUnderWay(JsonNode record) {
    try {
      return record.has("concatenated_transcript")
          && !CallStatus.of(record.path("status").asText()).hasEnded();
    } catch (IllegalArgumentException noCall) {
      return false;
    }
  }

  private static String told(JsonNode record) {
    String id = record.path("id").asText(record.path("call_id").asText());
    return (id + " " + record.path("status").asText("")).strip();
  }

  /** Unless the process is ended before. */
  private void await() throws InterruptedException {
    boolean ended = new CountDownLatch(1).await(pause.toMillis(), TimeUnit.MILLISECONDS);
    assert !ended;
  }
}
