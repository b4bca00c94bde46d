package dev.octroi.reference.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.x402.PaymentHeaders;
import dev.octroi.payments.x402.PaymentOption;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Clock;
import java.util.Arrays;
import java.util.Random;

/**
 * Calls a language model of the sandbox by ceiling, with prompts and answers of mixed length, and
 * prints what was charged against what was quoted, as rows of a table.
 */
public final class CeilingCalls {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SEED = 20;

  private CeilingCalls() {}

  /** Arguments: the gateway's address, a model, and how many calls. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    URI address = URI.create(arguments[0] + "/v1/chat/completions");
    int calls = Integer.parseInt(arguments[2]);
    PayingClient client =
        new PayingClient(
            HttpClient.newHttpClient(),
            new PaymentSigner(Wallet.generate(), Clock.systemUTC()),
            SpendingLimit.of(Usd.parse("5")).by(PaymentOption.UPTO));
    Random random = new Random(SEED);
    long quoted = 0;
    long[] shares = new long[calls];
    long charged = 0;
    for (int i = 0; i < calls; i++) {
      PaidAnswer answer = client.send(call(address, arguments[1], random));
      PaidAnswer.Quote quote = answer.quote();
      if (!answer.isSuccess() || quote == null) {
        throw new IOException("call " + i + " was answered with " + answer.status());
      }
      long used =
          Usd.parse(answer.headers().firstValue(PaymentHeaders.PRICE_AMOUNT).orElseThrow())
              .micros();
      quoted += quote.price().micros();
      charged += used;
      shares[i] = used * 1000 / quote.price().micros();
    }
    Arrays.sort(shares);
    System.out.printf(
        "| %s | %d | %s | %s | %s | %s | %s |%n",
        arguments[1],
        calls,
        new Usd(quoted).dollars(),
        new Usd(charged).dollars(),
        percent(charged * 1000 / quoted),
        percent(shares[calls / 2]),
        percent(shares[calls - 1]));
  }

  private static HttpRequest call(URI address, String model, Random random) {
    ObjectNode body = JSON.createObjectNode().put("model", model);
    body.put("max_tokens", 64 << random.nextInt(8));
    body.putArray("messages")
        .addObject()
        .put("role", "user")
        .put("content", "Tell me of the sea. ".repeat(1 + random.nextInt(200)));
    return HttpRequest.newBuilder(address)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body.toString()))
        .build();
  }

  private static String percent(long thousandths) {
    return thousandths / 10 + "." + thousandths % 10 + " %";
  }
}
