package dev.octroi.api.image;

import dev.octroi.api.group.Outcomes;
import dev.octroi.api.image.ImageRunner.PictureShelf;
import dev.octroi.api.image.PictureStream.Terms;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Usd;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects.Effect;
import dev.octroi.services.Deadline;
import dev.octroi.services.Failure;
import dev.octroi.services.images.Images.DrawnPicture;
import dev.octroi.services.images.Images.ImageOrder;
import dev.octroi.services.language.LanguageJson;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Opens streams of pictures. A call by key is charged when its last picture has come. A payer that
 * signs for itself is charged before the first picture leaves: that the last one comes is an
 * effect, noted before the money moves, and refunded if it does not (money rules 6 and 12).
 *
 * @param lasts notes and ends these effects
 */
record PictureStreams(ImageRunner runner, PictureShelf shelf, EffectRunner lasts, Clock clock) {

  /**
   * Draws, and answers once there is something to see.
   *
   * @param kind of the events
   * @param place to draw in, which the stream gives back
   * @param work gives pictures of the work in progress away and returns the whole one; ends within
   *     the limit
   * @throws Failure why there is nothing to see
   */
  Response open(
      ImageOrder order,
      String kind,
      Optional<Payment> payment,
      Duration limit,
      Runnable place,
      Function<Consumer<DrawnPicture>, DrawnPicture> work) {
    Terms terms =
        new Terms(kind, picture -> shelf.bytes(picture, Deadline.in(limit)), place, clock);
    PictureStream stream = new PictureStream(order, terms);
    boolean opened = false;
    try {
      runner.along(() -> stream.draw(work));
      boolean inProgress = stream.begin(limit);
      payment.ifPresent(paid -> stream.onEnd(ending(order, paid, inProgress)));
      opened = true;
    } finally {
      if (!opened) {
        stream.close();
      }
    }
    return Response.ok(stream, MediaType.SERVER_SENT_EVENTS_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header(Payment.METERED, "true")
        .build();
  }

  private Function<Optional<Failure>, String> ending(
      ImageOrder order, Payment payment, boolean inProgress) {
    if (payment.account().isPresent()) {
      return failure -> {
        payment.charge(failure.isPresent() ? Usd.ZERO : payment.quote());
        return "Nothing is charged.";
      };
    }
    if (!inProgress) {
      return failure -> "";
    }
    Effect last = lasts.begin(payment, intent(order));
    return failure ->
        Outcomes.refund(
            lasts.end(last, failure.map(PictureStreams::notDone).orElse(LastPicture.CAME)));
  }

  private static String intent(ImageOrder order) {
    byte[] intent =
        LanguageJson.bytes(LanguageJson.object().put("model", order.quote().model().id()));
    return new String(intent, StandardCharsets.UTF_8);
  }

  private static Attempt notDone(Failure why) {
    return new Attempt.NotDone("the last picture did not come: " + why.code().code());
  }

  /** That the last picture of a stream comes, which only the call that draws it can know. */
  record LastPicture() implements EffectVendor {

    static final Attempt CAME = new Attempt.Done("drawn", "");

    @Override
    public String kind() {
      return "image-stream";
    }

    @Override
    public Attempt attempt(Effect effect) {
      throw new IllegalStateException("a stream is drawn by its call");
    }

    /** Asked once the call is over: it would have said so if the picture had come. */
    @Override
    public Attempt ask(Effect effect) {
      return new Attempt.NotDone("the last picture did not come");
    }

    @Override
    public void record(Handle handle, Effect effect, Attempt.Done done) {
      // The picture is the caller's; nothing is kept of it.
    }
  }
}
