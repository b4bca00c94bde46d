package dev.octroi.reference.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Buys one thing after the other, each out of a wallet of its own, and sends the same payment to
 * whichever node lives until it has what it paid for, or hears that its money goes back. What takes
 * long is asked for again in the end.
 */
final class Shopper {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration BUSY = Duration.ofSeconds(15);

  /** What a vendor never heard of is given back when its call can be under way no more. */
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private static final Duration PAUSE = Duration.ofMillis(150);

  /** What ends by itself: a call is at work, or its end is not known yet, or a node is going. */
  private static final List<Integer> PASSING = List.of(409, 429, 502, 503);

  /** Nothing was sold, or the money goes back, or was never taken while the payment held. */
  private static final List<String> OFF =
      List.of(
          "number_unavailable",
          "has gone back",
          "invalid_exact_evm_payload_authorization_valid_before");

  /** Area codes where all goes well: enough for a night, for each has 90 numbers. */
  private static final List<String> AREAS =
      List.of(
          ("201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231"
                  + " 301 302 303 304 305 308 309 310 312 313 314 315 316 317 318 319 320 321 323"
                  + " 401 402 404 405 407 408 409 410 412 413 414 415 417 419 423 501 502 503 504"
                  + " 505 507 508 509 510 512 513 515 516 517 518 520 601 602 603 606 607 608 609")
              .split(" "));

  /** Where the vendor breaks off, having sold or not. */
  private static final List<String> BAD_AREAS = List.of("406", "802");

  /** What is bought. */
  enum Ware {
    NUMBER,
    PICTURE,
    /** Nothing: it was refused, or the money went back. */
    NOTHING
  }

  /**
   * How a purchase ended.
   *
   * @param price what it cost, in atomic units
   * @param last what was heard last
   */
  record Bought(Ware ware, Wallet payer, long price, String last) {}

  private final Supplier<List<URI>> bases;
  private final Random choice;
  private final Queue<Bought> bought = new ConcurrentLinkedQueue<>();
  private final Queue<Purchase> open = new ConcurrentLinkedQueue<>();
  private int turn;

  Shopper(Supplier<List<URI>> bases, Random choice) {
    this.bases = bases;
    this.choice = choice;
  }

  List<Bought> bought() {
    return List.copyOf(bought);
  }

  void shopUntil(AtomicBoolean over) {
    while (!over.get()) {
      Purchase purchase = choice.nextInt(3) == 0 ? picture() : number();
      Optional<Bought> end = tried(purchase, BUSY);
      end.ifPresentOrElse(bought::add, () -> open.add(purchase));
    }
  }

  /** Asks for what it has not heard the end of. */
  void haveTheRest() {
    for (Purchase purchase : open) {
      bought.add(tried(purchase, TIMEOUT).orElseThrow(() -> new AssertionError(purchase.said())));
    }
    open.clear();
  }

  private Purchase number() {
    List<String> areas = choice.nextInt(6) < 2 ? BAD_AREAS : AREAS;
    String area = areas.get(choice.nextInt(areas.size()));
    return new Purchase(
        Ware.NUMBER,
        sale(
            "/v1/marketplace/phone/numbers/buy",
            "{\"country\":\"US\",\"areaCode\":\"" + area + "\"}"));
  }

  private Purchase picture() {
    return new Purchase(
        Ware.PICTURE,
        sale(
            "/v1/images/generations",
            "{\"model\":\"provider-a/image-1\",\"prompt\":\"A house sandbox:slow=1\"}"));
  }

  private Sale sale(String target, String body) {
    return until(TIMEOUT, () -> Optional.of(Offer.ask(next(), target, body)))
        .orElseThrow(() -> new AssertionError("no node answers"))
        .accept(Wallet.generate());
  }

  private Optional<Bought> tried(Purchase purchase, Duration timeout) {
    return until(timeout, () -> purchase.tried(next()));
  }

  private URI next() {
    List<URI> known = bases.get();
    return known.get(Math.floorMod(turn++, known.size()));
  }

  /** One payment and what was heard of it last. */
  private static final class Purchase {

    private final Ware ware;
    private final Sale sale;
    private String job = "";
    private String said = "nothing";

    Purchase(Ware ware, Sale sale) {
      this.ware = ware;
      this.sale = sale;
    }

    String said() {
      return sale.offer().target() + ": " + said;
    }

    Optional<Bought> tried(URI base) throws IOException, InterruptedException {
      HttpResponse<String> answer = job.isEmpty() ? sale.send(base) : poll(base);
      said = answer.statusCode() + " " + answer.body();
      if (answer.statusCode() == 202) {
        job = JSON.readTree(answer.body()).path("poll_url").asText(job);
        return Optional.empty();
      }
      if (answer.statusCode() == 200 || said.contains("nonce_already_used")) {
        return Optional.of(ended(said.contains("\"status\":\"failed\"") ? Ware.NOTHING : ware));
      }
      boolean off = OFF.stream().anyMatch(said::contains);
      assertThat(off || PASSING.contains(answer.statusCode())).as(said()).isTrue();
      return off ? Optional.of(ended(Ware.NOTHING)) : Optional.empty();
    }

    private HttpResponse<String> poll(URI base) throws IOException, InterruptedException {
      HttpRequest poll =
          HttpRequest.newBuilder(base.resolve(job))
              .header(PaymentHeaders.PAYMENT_SIGNATURE, sale.payment())
              .timeout(BUSY)
              .build();
      return Offer.HTTP.send(poll, BodyHandlers.ofString());
    }

    private Bought ended(Ware had) {
      long price = Long.parseLong(sale.offer().challenge().accepts().get(0).amount());
      return new Bought(had, sale.payer(), had == Ware.NOTHING ? 0 : price, said);
    }
  }

  /** One try; empty if it is to be tried again. */
  private interface Try<T> {
    Optional<T> make() throws IOException, InterruptedException;
  }

  private static <T> Optional<T> until(Duration timeout, Try<T> one) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        Optional<T> made = one.make();
        if (made.isPresent()) {
          return made;
        }
      } catch (IOException e) {
        // Its node has just died: the other one is asked.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return Optional.empty();
  }
}
