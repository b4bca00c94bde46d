package dev.octroi.api.phone;

import dev.octroi.api.phone.PhoneGroup.VendorDeadlines;
import dev.octroi.payments.effect.AlikeEffects;
import dev.octroi.payments.effect.AlikeEffects.Others;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.services.phone.PhoneNumber;
import dev.octroi.services.phone.TextMessages;
import dev.octroi.services.phone.TextMessages.Sending;
import dev.octroi.services.phone.TextMessages.TextMessage;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Sends a text (money rule 6). The vendor knows a text by its numbers and words: one that another
 * payment has sent, or may have, proves nothing. Thread-safe.
 */
record TextSending(
    TextMessages messages, VendorDeadlines deadlines, AlikeEffects alike, Clock clock)
    implements EffectVendor {

  private static final String KIND = "text";
  private static final String NEVER_SENT = "the vendor has not taken it";

  /** As the effect keeps it. */
  static String text(TextMessage message) {
    return message.from() + " " + message.to() + " " + message.body();
  }

  private static TextMessage message(Effect effect) {
    List<String> words = List.of(effect.intent().split(" ", 3));
    return new TextMessage(
        new PhoneNumber(words.get(0)), new PhoneNumber(words.get(1)), words.get(2));
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public void requireReachable() {
    messages.requireReachable();
  }

  @Override
  public Attempt attempt(Effect effect) {
    Sending sending = messages.send(message(effect), deadlines.deadline());
    if (sending instanceof Sending.Sent sent) {
      return done(sent);
    }
    return sending instanceof Sending.Refused refused
        ? new Attempt.NotDone(refused.why().reason())
        : sent(effect).orElseGet(Attempt.Unknown::new);
  }

  @Override
  public Attempt ask(Effect effect) {
    return sent(effect)
        .orElseGet(
            () ->
                deadlines.isOver(effect.begun(), clock.instant())
                    ? new Attempt.NotDone(NEVER_SENT)
                    : new Attempt.Unknown());
  }

  private Optional<Attempt> sent(Effect effect) {
    List<Sending.Sent> listed =
        messages.sent(message(effect), effect.begun(), deadlines.deadline());
    if (listed.isEmpty()) {
      return Optional.empty();
    }
    Others others = alike.of(effect);
    return listed.stream()
        .filter(one -> !others.done().contains(one.reference()))
        .findFirst()
        .map(one -> others.open() ? new Attempt.Unknown() : done(one));
  }

  private static Attempt done(Sending.Sent sent) {
    return new Attempt.Done(sent.reference(), sent.status());
  }

  @Override
  public void record(Handle handle, Effect effect, Attempt.Done done) {
    // Nothing is kept of a message.
  }
}
