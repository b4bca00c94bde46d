package dev.octroi.payments.jaxrs;

import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.effect.EffectRunner;
import dev.octroi.payments.effect.EffectRunner.EffectResult;
import dev.octroi.payments.effect.EffectVendor;
import dev.octroi.payments.effect.EffectVendor.Attempt;
import dev.octroi.payments.ledger.Effects;
import dev.octroi.payments.ledger.jdbc.JdbcLedger;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import org.jdbi.v3.core.Handle;

/**
 * A host's method that is paid before an effect which cannot be undone, as such a method should.
 */
@Path("/")
@Provider
public final class Dialler implements WriterInterceptor, EffectVendor {

  /** How far a call has come, in its order. */
  enum Step {
    EFFECT_NOTED,
    SETTLED,
    DIALLED,
    EFFECT_CLOSED,
    ANSWER_KEPT
  }

  private final HttpClient http = HttpClient.newHttpClient();
  private final EffectRunner runner;
  private final URI vendor;

  Dialler(JdbcLedger ledger, URI vendor) {
    this.runner = new EffectRunner(this, ledger, Clock.systemUTC(), Duration.ofMinutes(1));
    this.vendor = vendor;
  }

  @POST
  @Path("dial")
  @Paid(value = "0.05", settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Produces(MediaType.TEXT_PLAIN)
  public Response dial(String number, @Context SecurityContext security) {
    EffectResult result =
        runner.perform(halting(Payment.of(security.getUserPrincipal()).orElseThrow()), number);
    reach(Step.EFFECT_CLOSED);
    if (result instanceof EffectResult.Done done) {
      return Response.ok(done.reference()).build();
    }
    return result instanceof EffectResult.Failed failed
        ? Response.status(502).entity("refund " + failed.refund().orElseThrow().state()).build()
        : Response.status(503).header("Retry-After", 1).entity("send the same again").build();
  }

  @Override
  public String kind() {
    return "call";
  }

  @Override
  public Attempt attempt(Effects.Effect effect) {
    reach(Step.SETTLED);
    String reference = ask("dial", effect.vendorKey());
    reach(Step.DIALLED);
    return new Attempt.Done(reference, "");
  }

  @Override
  public Attempt ask(Effects.Effect effect) {
    String reference = ask("ask", effect.vendorKey());
    return reference.isEmpty()
        ? new Attempt.NotDone("the vendor knows of none")
        : new Attempt.Done(reference, "");
  }

  @Override
  public void record(Handle handle, Effects.Effect effect, Attempt.Done done) {
    handle.execute(
        "INSERT INTO dialled (id, reference) VALUES (?, ?)", effect.id(), done.reference());
  }

  @Override
  public void aroundWriteTo(WriterInterceptorContext writing) throws IOException {
    reach(Step.ANSWER_KEPT);
    writing.proceed();
  }

  /** The same payment, that may hang before it settles. */
  private Payment halting(Payment payment) {
    return (Payment)
        Proxy.newProxyInstance(
            Dialler.class.getClassLoader(),
            new Class<?>[] {Payment.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("settle")) {
                reach(Step.EFFECT_NOTED);
              }
              try {
                return method.invoke(payment, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** The test, which plays the vendor, may let the call hang here. */
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
