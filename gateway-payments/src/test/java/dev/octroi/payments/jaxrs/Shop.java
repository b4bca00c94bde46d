package dev.octroi.payments.jaxrs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.octroi.payments.CallRefused;
import dev.octroi.payments.Free;
import dev.octroi.payments.HttpAnswer;
import dev.octroi.payments.Paid;
import dev.octroi.payments.Payment;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Redelivery;
import dev.octroi.payments.Settle;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.payments.x402.PaymentHeaders;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.server.ChunkedOutput;

/** A host's resource with every kind of paid method, and what the tests need to see and steer. */
@Path("/")
public class Shop {

  static final String READ = "{\"answer\": 42.0 }\n";

  final AtomicInteger runs = new AtomicInteger();
  final AtomicInteger closed = new AtomicInteger();
  final AtomicBoolean broken = new AtomicBoolean();
  volatile CountDownLatch gate = new CountDownLatch(0);

  /** An entity of the host's own, written by the host's JSON. */
  public record Item(String name, List<Integer> sizes) {}

  /** An entity whose writing fails. */
  public static final class Unwritable {

    public String getName() {
      throw new IllegalStateException("not to be shown");
    }
  }

  /** An entity whose writing breaks worse. */
  public static final class Unlinked {

    public String getName() {
      throw new NoClassDefFoundError("not to be shown");
    }
  }

  /** What no mapper of the host maps. */
  static final class Unmapped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** What the host maps to 500. */
  static final class Mapped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A cent per letter of the body, or what {@code cents} says. */
  public static final class PerLetter implements Tariff {
    @Override
    public Usd price(PricedRequest request) {
      List<String> cents = request.queryParameters().getOrDefault("cents", List.of());
      if (cents.contains("unknown")) {
        throw new CallRefused(
            new HttpAnswer(400, Map.of("Content-Type", "text/plain"), "no price".getBytes(UTF_8)));
      }
      int count = cents.isEmpty() ? request.body().length : Integer.parseInt(cents.get(0));
      return Usd.parse("0.01").times(count);
    }
  }

  @GET
  @Path("read")
  @Paid("0.0095")
  @Produces(MediaType.APPLICATION_JSON)
  public String read() throws InterruptedException {
    runs.incrementAndGet();
    gate.await();
    return READ;
  }

  @GET
  @Path("reread")
  @Paid(value = "0.0095", redelivery = Redelivery.REREAD)
  @Produces(MediaType.APPLICATION_JSON)
  public String reread() {
    fail(new Mapped());
    return "{\"run\":" + runs.incrementAndGet() + "}";
  }

  @POST
  @Path("echo")
  @Paid("0.01")
  @Produces(MediaType.TEXT_PLAIN)
  public String echo(String body) {
    runs.incrementAndGet();
    return body;
  }

  @POST
  @Path("letters")
  @Paid(by = PerLetter.class)
  @Produces(MediaType.TEXT_PLAIN)
  public String letters(String body) {
    runs.incrementAndGet();
    return Integer.toString(body.length());
  }

  @GET
  @Path("item")
  @Paid("0.002")
  @Produces(MediaType.APPLICATION_JSON)
  public Item item() {
    return new Item("scarf", List.of(1, 2));
  }

  /** An answer with everything that describes it, still coming from somewhere. */
  @GET
  @Path("dressed")
  @Paid("0.01")
  @Produces(MediaType.TEXT_PLAIN)
  public Response dressed() {
    InputStream upstream =
        new ByteArrayInputStream("dressed".getBytes(StandardCharsets.US_ASCII)) {
          @Override
          public void close() {
            closed.incrementAndGet();
          }
        };
    return Response.ok(upstream)
        .header("ETag", "\"7\"")
        .header("Content-Encoding", "identity")
        .header("Content-Length", 7)
        .header("Content-Disposition", "inline")
        .header("CDN-Cache-Control", "max-age=600")
        .header("Surrogate-Control", "max-age=600")
        .header("X-Accel-Expires", "600")
        .build();
  }

  /** What its caller compares with a hash of it. */
  @GET
  @Path("hashed")
  @Paid("0.01")
  @Produces(MediaType.APPLICATION_JSON)
  public Response hashed(@QueryParam("by") String header) {
    return Response.ok("{}").header(header, "sha-256=:of the two bytes:").build();
  }

  @GET
  @Path("part")
  @Paid("0.01")
  @Produces(MediaType.TEXT_PLAIN)
  public Response part() {
    return Response.status(206).header("Content-Range", "bytes 0-3/7").entity("dres").build();
  }

  @GET
  @Path("list")
  @Paid("0.002")
  @Produces(MediaType.APPLICATION_JSON)
  public String list() {
    return "[1,2]";
  }

  @GET
  @Path("mapped")
  @Paid("0.01")
  public String mapped() {
    runs.incrementAndGet();
    fail(new Mapped());
    return "fine";
  }

  @GET
  @Path("unmapped")
  @Paid("0.01")
  public String unmapped() {
    runs.incrementAndGet();
    fail(new Unmapped());
    return "fine";
  }

  @GET
  @Path("error")
  @Paid("0.01")
  public String error() {
    runs.incrementAndGet();
    if (broken.get()) {
      throw new StackOverflowError("not to be shown");
    }
    return "fine";
  }

  @GET
  @Path("unwritable")
  @Paid("0.01")
  @Produces(MediaType.APPLICATION_JSON)
  public Object unwritable() {
    runs.incrementAndGet();
    return broken.get() ? new Unwritable() : new Item("scarf", List.of());
  }

  @GET
  @Path("chunked")
  @Paid("0.01")
  @Produces(MediaType.TEXT_PLAIN)
  public Object chunked() {
    runs.incrementAndGet();
    return broken.get() ? new ChunkedOutput<>(String.class) : "whole";
  }

  @GET
  @Path("unlinked")
  @Paid("0.01")
  @Produces(MediaType.APPLICATION_JSON)
  public Object unlinked() {
    runs.incrementAndGet();
    return broken.get() ? new Unlinked() : new Item("glove", List.of());
  }

  @GET
  @Path("pending")
  @Paid("0.01")
  public Response pending() {
    return broken.get()
        ? Response.accepted("later").header(Payment.UNCHARGED, "true").build()
        : Response.ok("now").build();
  }

  /** Speaks as if it were who is paid. */
  @GET
  @Path("poses")
  @Paid("0.01")
  public Response poses() {
    Response.ResponseBuilder answer = Response.status(broken.get() ? 500 : 200).entity("sold");
    PaymentHeaders.OF_ANSWERS.forEach(
        name -> answer.header(name, "theirs").header(name.toLowerCase(Locale.ROOT), "theirs"));
    return answer.build();
  }

  @GET
  @Path("nothing")
  @Paid("0.01")
  public Response nothing() {
    return Response.noContent().build();
  }

  @GET
  @Path("elsewhere")
  @Paid("0.01")
  public Response elsewhere() {
    return broken.get()
        ? Response.status(302).header("Location", "/other").build()
        : Response.ok("here").build();
  }

  @GET
  @Path("before")
  @Paid(value = "0.01", settle = Settle.BEFORE)
  public Response before(
      @QueryParam("settles") boolean settles,
      @QueryParam("status") int status,
      @Context SecurityContext security) {
    runs.incrementAndGet();
    if (settles) {
      Payment.of(security.getUserPrincipal()).orElseThrow().settle();
    }
    return Response.status(status).entity("done").build();
  }

  /** Settles, and then fails, waits or answers. */
  @GET
  @Path("resumed")
  @Paid(value = "0.01", settle = Settle.BEFORE, redelivery = Redelivery.RESUMED)
  @Produces(MediaType.TEXT_PLAIN)
  public String resumed(@Context SecurityContext security) throws InterruptedException {
    Payment payment = Payment.of(security.getUserPrincipal()).orElseThrow();
    boolean first = runs.incrementAndGet() == 1;
    if (payment.isSettled() == first) {
      throw new IllegalStateException("the first run, and no other, has to settle");
    }
    if (first) {
      payment.settle();
    }
    gate.await();
    fail(new Mapped());
    return "resumed " + payment.transaction();
  }

  @GET
  @Path("stream")
  @Paid("0.01")
  @Produces("text/event-stream")
  public StreamingOutput stream() {
    return out -> {
      for (int i = 0; i < 3; i++) {
        out.write(("data: " + i + "\n\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
      }
    };
  }

  @GET
  @Path("unbegun")
  @Paid("0.01")
  public Response unbegun(@QueryParam("metered") boolean metered) {
    runs.incrementAndGet();
    StreamingOutput stream =
        out -> {
          throw new IOException("its source is gone");
        };
    Response.ResponseBuilder answer = Response.ok(stream, "text/event-stream");
    return (metered ? answer.header(Payment.METERED, "true") : answer).build();
  }

  /** Says its second word when the gate opens. */
  @GET
  @Path("drip")
  @Paid("0.01")
  @Produces("text/event-stream")
  public StreamingOutput drip() {
    return out -> {
      out.write("data: 1\n\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      out.write("data: 2\n\n".getBytes(StandardCharsets.US_ASCII));
    };
  }

  /**
   * Quoted a cent, and knows at its end that it cost less; {@code broken} ends it early, and {@code
   * unread} keeps it from its end as a reader does who stops to read.
   */
  @GET
  @Path("taxi")
  @Paid("0.01")
  public Response taxi(
      @QueryParam("broken") boolean broken,
      @QueryParam("unread") boolean unread,
      @Context SecurityContext security) {
    Payment payment = Payment.of(security.getUserPrincipal()).orElseThrow();
    StreamingOutput stream =
        out -> {
          try {
            out.write("data: 1\n\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            if (broken) {
              throw new IOException("the caller is gone");
            }
            if (unread) {
              payment.charge(Usd.parse("0.004"));
              gate.await();
            }
            out.write("data: 2\n\n".getBytes(StandardCharsets.US_ASCII));
          } catch (InterruptedException e) {
            throw new IOException(e);
          } finally {
            if (payment.account().isPresent()) {
              payment.charge(Usd.parse("0.004"));
            }
          }
        };
    return Response.ok(stream, "text/event-stream").header(Payment.METERED, "true").build();
  }

  /** Quoted a cent; what it is charged for never comes. */
  @GET
  @Path("in-vain")
  @Paid("0.01")
  public Response inVain(
      @QueryParam("stream") boolean streamed, @Context SecurityContext security) {
    Payment payment = Payment.of(security.getUserPrincipal()).orElseThrow();
    if (!streamed) {
      payment.charge(Usd.ZERO);
      return Response.ok("nothing", MediaType.TEXT_PLAIN_TYPE).build();
    }
    StreamingOutput stream =
        out -> {
          out.write("data: 1\n\n".getBytes(StandardCharsets.US_ASCII));
          payment.charge(Usd.ZERO);
        };
    return Response.ok(stream, "text/event-stream").header(Payment.METERED, "true").build();
  }

  @GET
  @Path("large")
  @Paid("0.01")
  @Produces(MediaType.TEXT_PLAIN)
  public byte[] large() throws InterruptedException {
    runs.incrementAndGet();
    gate.await();
    return new byte[7 << 20];
  }

  @GET
  @Path("later")
  @Paid("0.01")
  @Produces(MediaType.TEXT_PLAIN)
  public CompletionStage<String> later() {
    return CompletableFuture.supplyAsync(
        () -> {
          fail(new Mapped());
          return "later";
        });
  }

  /** Answers by another thread, or before the method returns. */
  @GET
  @Path("suspended/{how}")
  @Paid("0.01")
  @Produces(MediaType.TEXT_PLAIN)
  public void suspended(@PathParam("how") String how, @Suspended AsyncResponse answer) {
    switch (how) {
      case "at-once" -> answer.resume("late");
      case "text" -> elsewhere(() -> answer.resume("late"));
      case "response" -> elsewhere(() -> answer.resume(Response.ok("late").build()));
      case "stream" -> elsewhere(() -> answer.resume(stream("late")));
      case "refusal" -> elsewhere(() -> answer.resume(Response.status(404).build()));
      case "failure" -> elsewhere(() -> answer.resume(new Mapped()));
      case "unmapped" -> elsewhere(() -> answer.resume(new Unmapped()));
      case "time" -> answer.setTimeout(100, TimeUnit.MILLISECONDS);
      case "cancelled" -> elsewhere(answer::cancel);
      default -> throw new IllegalArgumentException(how);
    }
  }

  /** The same by stages. */
  @GET
  @Path("staged/{how}")
  @Paid("0.01")
  @Produces(MediaType.TEXT_PLAIN)
  public CompletionStage<Response> staged(@PathParam("how") String how) {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    switch (how) {
      case "at-once" -> answer.complete(Response.ok("late").build());
      case "text" -> elsewhere(() -> answer.complete(Response.ok("late").build()));
      case "stream" -> elsewhere(() -> answer.complete(Response.ok(stream("late")).build()));
      case "refusal" -> elsewhere(() -> answer.complete(Response.status(404).build()));
      case "failure" -> elsewhere(() -> answer.completeExceptionally(new Mapped()));
      default -> throw new IllegalArgumentException(how);
    }
    return answer;
  }

  private static StreamingOutput stream(String text) {
    return out -> out.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void elsewhere(Runnable answer) {
    var unused =
        CompletableFuture.runAsync(
            answer, CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
  }

  @GET
  @Path("whoami")
  @Paid("0.01")
  public String whoami(@Context SecurityContext security) {
    Payment payment = Payment.of(security.getUserPrincipal()).orElseThrow();
    return payment.payer() + " " + payment.network() + " " + payment.quote() + " " + payment.id();
  }

  @GET
  @Path("account")
  @Paid("0.01")
  public String account(@Context SecurityContext security) {
    return Payment.of(security.getUserPrincipal()).flatMap(Payment::account).orElse("none");
  }

  /** Costs less than its quote, if the payer lets itself be charged so. */
  @GET
  @Path("metered")
  @Paid("0.01")
  public String metered(@Context SecurityContext security) {
    return Payment.of(security.getUserPrincipal())
        .orElseThrow()
        .charge(Usd.parse("0.004"))
        .dollars();
  }

  @GET
  @Path("free")
  @Free
  public String free(@Context SecurityContext security) {
    return Payment.of(security.getUserPrincipal()).isPresent() ? "paid" : "free";
  }

  @Path("sub")
  public Object sub() {
    return new Counter();
  }

  /** Behind a locator whose type says nothing. */
  public final class Counter {

    @GET
    @Paid("0.01")
    public String count() {
      return "counted";
    }
  }

  private void fail(RuntimeException failure) {
    if (broken.get()) {
      throw failure;
    }
  }
}
