package dev.octroi.reference.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Makes one call of each kind, and tells what a vendor is asked for it. For one run. */
final class AskedRequests {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Usd MOST = Usd.parse("30");
  private static final int LONGEST = 2_000;

  private final DryRun gateway;
  private final Consumer<ObjectNode> told;
  private final HttpClient http = HttpClient.newHttpClient();
  private final PayingClient buyer = payer();
  private DemoThings bought = DemoThings.NONE;

  /**
   * @param told gets each call with {@code group}, {@code method}, {@code path}, {@code status},
   *     {@code why} and what was {@code asked}
   */
  AskedRequests(DryRun gateway, Consumer<ObjectNode> told) {
    this.gateway = gateway;
    this.told = told;
  }

  private PayingClient payer() {
    return new PayingClient(
        http, new PaymentSigner(Wallet.generate(), Clock.systemUTC()), SpendingLimit.of(MOST));
  }

  /** The reads, then what is bought one after the other. */
  void make() throws IOException, InterruptedException {
    List<Operation> sold = gateway.gateway().catalogue().operations();
    for (Operation operation : sold) {
      if (operation.row().read().isPresent()) {
        make(operation.row().group().title(), request(operation), payer());
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
          make(operation.row().group().title(), request(operation), buyer);
        }
      }
      HttpRequest request = call.request(gateway.baseUrl(), bought);
      if (call.isRead()) {
        continue;
      }
      make(title(sold, request), request, buyer);
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

  private void make(String group, HttpRequest request, PayingClient payer)
      throws IOException, InterruptedException {
    gateway.take();
    PaidAnswer answer = payer.send(request);
    bought = bought.and(DemoThings.in(answer));
    URI call = request.uri();
    ObjectNode made =
        JSON.createObjectNode()
            .put("group", group)
            .put("method", request.method())
            .put(
                "path",
                call.getRawPath() + (call.getRawQuery() == null ? "" : "?" + call.getRawQuery()))
            .put("status", answer.status())
            .put("why", why(answer));
    ArrayNode all = made.putArray("asked");
    for (Asked one : gateway.take()) {
      ObjectNode asked =
          all.addObject()
              .put("method", one.method())
              .put("address", one.address().toString())
              .put("body", one.body());
      one.headers().forEach(asked.putObject("headers")::put);
    }
    told.accept(made);
  }

  /** Prints a call for people. */
  static void print(PrintWriter out, ObjectNode call) {
    out.printf(
        "%n%s: %s %s%n",
        call.path("group").asText(), call.path("method").asText(), call.path("path").asText());
    call.path("asked").forEach(one -> printAsked(out, one));
    if (call.path("asked").isEmpty()) {
      out.printf(
          "  asks no vendor while the caller waits: %d %s%n",
          call.path("status").asInt(), call.path("why").asText());
    }
    out.flush();
  }

  private static void printAsked(PrintWriter out, JsonNode one) {
    out.printf("  %s %s%n", one.path("method").asText(), one.path("address").asText());
    one.path("headers")
        .properties()
        .forEach(header -> out.printf("    %s: %s%n", header.getKey(), header.getValue().asText()));
    String body = one.path("body").asText().replaceAll("\\p{Cntrl}+", " ");
    if (!body.isEmpty()) {
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
