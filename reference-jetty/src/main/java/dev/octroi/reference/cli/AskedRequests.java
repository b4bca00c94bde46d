package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.api.catalogue.Operation;
import dev.octroi.payments.Usd;
import dev.octroi.payments.client.PaidAnswer;
import dev.octroi.payments.client.PayingClient;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.SpendingLimit;
import dev.octroi.payments.client.Wallet;
import dev.octroi.reference.DryRun;
import dev.octroi.reference.DryRun.Asked;
import dev.octroi.reference.cli.DemoCall.DemoThings;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Makes one call of each kind, and prints what a vendor is asked for it. For one run. */
final class AskedRequests {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Usd MOST = Usd.parse("30");
  private static final int LONGEST = 2_000;

  private final DryRun gateway;
  private final PrintWriter out;
  private final HttpClient http = HttpClient.newHttpClient();
  private final PayingClient buyer = payer();
  private DemoThings bought = DemoThings.NONE;

  AskedRequests(DryRun gateway, PrintWriter out) {
    this.gateway = gateway;
    this.out = out;
  }

  private PayingClient payer() {
    return new PayingClient(
        http, new PaymentSigner(Wallet.generate(), Clock.systemUTC()), SpendingLimit.of(MOST));
  }

  /** The reads, then what is bought one after the other. */
  void print() throws IOException, InterruptedException {
    List<Operation> sold = gateway.gateway().catalogue().operations();
    for (Operation operation : sold) {
      if (operation.row().read().isPresent()) {
        print(operation.row().group().title(), request(operation), payer());
      }
    }
    Set<String> shown =
        Arrays.stream(DemoCall.values()).map(DemoCall::endpoint).collect(Collectors.toSet());
    List<Operation> others = new ArrayList<>(sold);
    others.removeIf(
        one ->
            !one.hasBody()
                || one.row().read().isPresent()
                || shown.contains(one.row().method() + " " + one.row().path()));
    for (DemoCall call : DemoCall.values()) {
      if (call == DemoCall.NUMBER_RELEASE) {
        for (Operation operation : others) {
          print(operation.row().group().title(), request(operation), buyer);
        }
      }
      HttpRequest request = call.request(gateway.baseUrl(), bought);
      if (call.isRead()) {
        continue;
      }
      print(title(sold, request), request, buyer);
    }
  }

  private static String title(List<Operation> sold, HttpRequest request) {
    String path = request.uri().getPath();
    return sold.stream()
        .map(Operation::row)
        .filter(row -> path.startsWith(row.group().base() + "/") || path.equals(row.path()))
        .map(row -> row.group().title())
        .findFirst()
        .orElse("");
  }

  private HttpRequest request(Operation operation) {
    ObjectNode example = operation.example().deepCopy();
    String path = operation.row().path();
    if (operation.hasBody()) {
      if (example.has("from")) {
        example.put("from", bought.number());
      }
      return HttpRequest.newBuilder(gateway.baseUrl().resolve(path))
          .header("Content-Type", "application/json")
          .POST(BodyPublishers.ofString(example.toString()))
          .build();
    }
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    for (Map.Entry<String, JsonNode> argument : example.properties()) {
      String mark = "{" + argument.getKey() + "}";
      String value = encoded(argument.getValue());
      if (path.contains(mark)) {
        path = path.replace(mark, value);
      } else {
        query.add(argument.getKey() + "=" + value);
      }
    }
    return HttpRequest.newBuilder(gateway.baseUrl().resolve(path + query)).build();
  }

  private static String encoded(JsonNode value) {
    StringJoiner parts = new StringJoiner(",");
    if (value.isArray()) {
      value.forEach(one -> parts.add(one.asText()));
    } else {
      parts.add(value.asText());
    }
    return URLEncoder.encode(parts.toString(), StandardCharsets.UTF_8).replace("+", "%20");
  }

  private void print(String group, HttpRequest request, PayingClient payer)
      throws IOException, InterruptedException {
    gateway.take();
    PaidAnswer answer = payer.send(request);
    bought = bought.and(DemoThings.in(answer));
    List<Asked> asked = gateway.take();
    URI call = request.uri();
    out.printf(
        "%n%s: %s %s%s%n",
        group,
        request.method(),
        call.getRawPath(),
        call.getRawQuery() == null ? "" : "?" + call.getRawQuery());
    asked.forEach(this::print);
    if (asked.isEmpty()) {
      out.printf("  asks no vendor while the caller waits: %d %s%n", answer.status(), why(answer));
    }
    out.flush();
  }

  private void print(Asked one) {
    out.printf("  %s %s%n", one.method(), one.address());
    one.headers().forEach((name, value) -> out.printf("    %s: %s%n", name, value));
    if (!one.body().isEmpty()) {
      String body = one.body().replaceAll("\\p{Cntrl}+", " ");
      out.printf("    %s%n", body.length() > LONGEST ? body.substring(0, LONGEST) + "…" : body);
    }
  }

  private static String why(PaidAnswer answer) {
    try {
      JsonNode body = JSON.readTree(answer.body());
      return body.at("/error/message").asText(body.path("message").asText());
    } catch (IOException notJson) {
      return "";
    }
  }
}
