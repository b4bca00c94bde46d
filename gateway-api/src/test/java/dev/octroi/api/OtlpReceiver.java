package dev.octroi.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A receiver of traces that reads what it is sent: OTLP's messages, over HTTP. */
final class OtlpReceiver implements AutoCloseable {

  /** What a span says of itself, in OTLP's words. */
  record Received(
      String name,
      String trace,
      String id,
      String parent,
      long kind,
      Map<String, String> attributes,
      String service) {}

  private final HttpServer server;
  private final List<Received> spans = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();

  OtlpReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/v1/traces", this::receive);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces");
  }

  List<Received> spans() {
    return spans;
  }

  List<String> authorizations() {
    return authorizations;
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
      byte[] body = exchange.getRequestBody().readAllBytes();
      for (ProtoMessage resource : new ProtoMessage(body).messages(1)) {
        read(resource);
      }
      exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private void read(ProtoMessage resource) {
    Map<String, String> of = new HashMap<>();
    resource.messages(1).forEach(each -> of.putAll(attributes(each, 1)));
    for (ProtoMessage scope : resource.messages(2)) {
      for (ProtoMessage span : scope.messages(2)) {
        spans.add(
            new Received(
                span.text(5),
                hex(span, 1),
                hex(span, 2),
                hex(span, 4),
                span.number(6),
                attributes(span, 9),
                String.valueOf(of.get("service.name"))));
      }
    }
  }

  private static Map<String, String> attributes(ProtoMessage of, int field) {
    Map<String, String> attributes = new HashMap<>();
    for (ProtoMessage pair : of.messages(field)) {
      ProtoMessage value = pair.messages(2).get(0);
      attributes.put(pair.text(1), value.has(1) ? value.text(1) : Long.toString(value.number(3)));
    }
    return attributes;
  }

  private static String hex(ProtoMessage span, int field) {
    return span.has(field)
        ? HexFormat.of().formatHex(span.text(field).getBytes(StandardCharsets.ISO_8859_1))
        : "";
  }

  /** The spans of one trace. */
  List<Received> of(String trace) {
    List<Received> found = new ArrayList<>(spans);
    found.removeIf(span -> !span.trace().equals(trace));
    return found;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
