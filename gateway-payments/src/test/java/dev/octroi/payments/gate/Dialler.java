package dev.octroi.payments.gate;

import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Settle;
import dev.octroi.payments.ledger.Effects;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * A host's method that is paid before an effect which cannot be undone, as such a method should.
 */
@Path("/")
@Provider
public final class Dialler implements WriterInterceptor {

  /** How far a call has come, in its order. */
  enum Step {
    SETTLED,
    EFFECT_NOTED,
    DIALLED,
    EFFECT_CLOSED,
    ANSWER_KEPT
  }

  private final HttpClient http = HttpClient.newHttpClient();
  private final Effects effects;
  private final URI vendor;

  Dialler(Effects effects, URI vendor) {
    this.effects = effects;
    this.vendor = vendor;
  }

  @POST
  @Path("dial")
  @Paid(value = "0.05", settle = Settle.BEFORE)
  @Produces(MediaType.TEXT_PLAIN)
  public String dial(String number, @Context SecurityContext security) {
    Payment payment = Payment.of(security).orElseThrow();
    payment.settle();
    reach(Step.SETTLED);
    Effects.Effect effect = effects.begin(payment.use(), "call", number);
    if (!effect.isNew()) {
      throw new IllegalStateException("it may have been dialled before");
    }
    reach(Step.EFFECT_NOTED);
    String reference = ask("dial", effect.vendorKey());
    reach(Step.DIALLED);
    effects.close(effect, Effects.Ending.done(reference, ""), Effects.Along.NOTHING);
    reach(Step.EFFECT_CLOSED);
    return reference;
  }

  @Override
  public void aroundWriteTo(WriterInterceptorContext writing) throws IOException {
    reach(Step.ANSWER_KEPT);
    writing.proceed();
  }

  /** Whoever plays the vendor may let the call hang here. */
  private void reach(Step step) {
    ask("step", step.name());
  }

  private String ask(String path, String text) {
    HttpRequest request =
        HttpRequest.newBuilder(vendor.resolve(path)).POST(BodyPublishers.ofString(text)).build();
    try {
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
