package dev.octroi.api.voice;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.payments.effect.AlikeEffects;
import dev.octroi.payments.effect.AlikeEffects.Others;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.voice.VoiceCalls;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Calls that are handed over to another number. The vendor tells of a call to whom it was handed,
 * and not for which of two payments.
 *
 * @param limit how long the vendor may take
 * @param certainAfter how long after it was noted a call cannot be handed over for it any more
 * @param alike the other hand-overs of the same call to the same number
 */
record TransferEffect(
    VoiceCalls vendor, Duration limit, Duration certainAfter, AlikeEffects alike, Clock clock)
    implements EffectVendor {

  static final String KIND = "voice-transfer";

  static TransferEffect by(VoiceCalls vendor, VoiceTerms terms, AlikeEffects alike, Clock clock) {
    return new TransferEffect(vendor, terms.limit(), terms.certainAfter(), alike, clock);
  }

  /**
   * What is noted of it.
   *
   * @param reference the vendor's id of the call
   */
  record Intent(String call, String reference, String to) {

    String json() {
      return new String(
          UpstreamJson.bytes(
              UpstreamJson.record().put("call", call).put("reference", reference).put("to", to)),
          StandardCharsets.UTF_8);
    }

    static Intent of(Effect effect) {
      JsonNode intent = UpstreamJson.object(effect.intent().getBytes(StandardCharsets.UTF_8));
      return new Intent(
          intent.path("call").asText(),
          intent.path("reference").asText(),
          intent.path("to").asText());
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void requireReachable() {
    vendor.requireReachable();
  }

  @Override
  public Attempt attempt(Effect effect) {
    Intent intent = Intent.of(effect);
    return Attempts.of(vendor.transfer(intent.reference(), intent.to(), Deadline.in(limit)));
  }

  @Override
  public Attempt ask(Effect effect) {
    Intent intent = Intent.of(effect);
    Instant asked = clock.instant();
    try {
      Optional<CallReport> report = vendor.read(intent.reference(), Deadline.in(limit));
      if (report.flatMap(CallReport::transferredTo).filter(intent.to()::equals).isEmpty()) {
        return Attempts.notFound(effect, asked, certainAfter);
      }
      Others others = alike.of(effect);
      if (!others.done().isEmpty()) {
        return Attempts.notFound(effect, asked, certainAfter);
      }
      return others.open() ? new Attempt.Unknown() : Attempts.done(intent.reference());
    } catch (Failure noAnswer) {
      return new Attempt.Unknown();
    }
  }

  /** The call's own record tells of it. */
  @Override
  public void record(Handle handle, Effect effect, Attempt.Done done) {}
}
