package dev.octroi.payments.flow;

import dev.octroi.payments.Exchange;
import dev.octroi.payments.Usd;
import dev.octroi.payments.evm.ReceiptSigner;
import dev.octroi.payments.flow.Authorizations.AnswerForm;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.SettlementResponse;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The headers of an answer that was paid for.
 *
 * @param signer signs receipts; empty where they go unsigned
 */
record Receipts(Optional<ReceiptSigner> signer, ResourceUrl urls, Clock clock) {

  /** A directive of Cache-Control, whose quoted values may have commas. */
  private static final Pattern DIRECTIVE = Pattern.compile("(?:[^,\"]|\"[^\"]*+\")++");

  /**
   * By which an answer tells shared caches what counts there before its Cache-Control (RFC 9213 and
   * its forerunners), and what forbids them to keep it.
   */
  private static final Map<String, String> OF_SHARED_CACHES =
      Map.of(
          "CDN-Cache-Control", "no-store",
          "Cloudflare-CDN-Cache-Control", "no-store",
          "Vercel-CDN-Cache-Control", "no-store",
          "Netlify-CDN-Cache-Control", "no-store",
          "Surrogate-Control", "no-store",
          "Edge-Control", "no-store",
          "X-Accel-Expires", "0");

  /**
   * What was paid.
   *
   * @param payment the payment's id in the ledger
   * @param amount the charge in the token's own units
   */
  record Paid(
      String payment,
      String transaction,
      String network,
      String payer,
      Usd charge,
      String amount,
      AnswerForm form) {}

  /** Puts the receipt on an answer, and keeps shared caches from handing it to others. */
  void put(PaidCall call, String transaction, OutgoingAnswer answer) {
    Paid paid =
        new Paid(
            call.id(),
            transaction,
            call.network(),
            call.payer(),
            call.charge(),
            call.verified().terms().at(call.charge()).amount(),
            call.verified().form());
    int decimals = call.verified().terms().decimals();
    UnaryOperator<SettlementResponse> scheme =
        plain ->
            call.verified()
                .payer()
                .channel()
                .map(use -> ChannelAnswers.receipt(plain, use, call.charge(), decimals))
                .orElse(plain);
    headers(paid, call.incoming().exchange(), scheme).forEach(answer::header);
    String stated = answer.header("Cache-Control");
    answer.header("Cache-Control", caching(stated));
  }

  /** Takes back what an answer tells shared caches alone, whatever becomes of it. */
  static void closeSharedCaches(OutgoingAnswer answer) {
    OF_SHARED_CACHES.forEach(
        (name, none) -> {
          if (answer.header(name) != null) {
            answer.header(name, none);
          }
        });
  }

  /** That a payer who signed a ceiling was charged nothing (x402, upto). */
  void nothingUsed(PaidCall call, OutgoingAnswer answer) {
    SettlementResponse nothing =
        SettlementResponse.settled(
            "", call.network(), call.payer(), Usd.ZERO.atomicUnits(Usd.DECIMALS));
    settlement(call.verified().form(), nothing).forEach(answer::header);
  }

  /** What is reserved for an answer whose charge is not known yet. */
  void reserve(PaidCall call, OutgoingAnswer answer) {
    answer.header(PaymentHeaders.PAYMENT_ID, call.id());
    answer.header(PaymentHeaders.PRICE_AMOUNT, call.quote().dollars());
    answer.header(PaymentHeaders.PRICE_CURRENCY, "USD");
    String stated = answer.header("Cache-Control");
    answer.header("Cache-Control", caching(stated));
  }

  /** The receipt alone. */
  Map<String, String> headers(Paid paid, Exchange request) {
    return headers(paid, request, UnaryOperator.identity());
  }

  private Map<String, String> headers(
      Paid paid, Exchange request, UnaryOperator<SettlementResponse> scheme) {
    SettlementResponse settlement =
        scheme
            .apply(
                SettlementResponse.settled(
                    paid.transaction(), paid.network(), paid.payer(), paid.amount()))
            .with(signed(paid, request));
    Map<String, String> headers = settlement(paid.form(), settlement);
    headers.put(PaymentHeaders.X_PAYMENT_RECEIPT, paid.transaction());
    headers.put(PaymentHeaders.PAYMENT_ID, paid.payment());
    headers.put(PaymentHeaders.PRICE_AMOUNT, paid.charge().dollars());
    headers.put(PaymentHeaders.PRICE_CURRENCY, "USD");
    return headers;
  }

  private Map<String, Object> signed(Paid paid, Exchange request) {
    return signer
        .map(
            key ->
                key.sign(
                    new ReceiptSigner.Receipt(
                        paid.network(),
                        urls.of(request),
                        paid.payer(),
                        clock.instant(),
                        paid.transaction())))
        .<Map<String, Object>>map(
            receipt -> Map.of(ReceiptSigner.EXTENSION, Map.of("info", Map.of("receipt", receipt))))
        .orElse(Map.of());
  }

  /** How settlement went, by the names and in the version that the request's client reads. */
  static Map<String, String> settlement(AnswerForm form, SettlementResponse settlement) {
    String value = settlement.header();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(PaymentHeaders.PAYMENT_RESPONSE, value);
    if (form.older()) {
      headers.put(
          PaymentHeaders.X_PAYMENT_RESPONSE,
          form.version1() ? settlement.forVersion1().header() : value);
    }
    return headers;
  }

  /** The host's directives, less those that make an answer public. */
  static String caching(@Nullable String stated) {
    if (stated == null || stated.isBlank()) {
      return "private";
    }
    List<String> kept =
        DIRECTIVE
            .matcher(stated.toLowerCase(Locale.ROOT))
            .results()
            .map(directive -> directive.group().strip())
            .filter(Receipts::isKept)
            .toList();
    boolean closed = kept.contains("private") || kept.contains("no-store");
    String all = String.join(", ", kept);
    return closed ? all : all.isEmpty() ? "private" : "private, " + all;
  }

  /** A field that is private leaves all else public. */
  private static boolean isKept(String directive) {
    return !directive.isEmpty()
        && !directive.equals("public")
        && !directive.startsWith("s-maxage")
        && !directive.startsWith("private=");
  }
}
