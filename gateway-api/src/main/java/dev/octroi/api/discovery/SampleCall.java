package dev.octroi.api.discovery;

import dev.octroi.api.catalogue.Operation;
import dev.octroi.payments.PricedRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The example of an operation, as if it were called. */
record SampleCall(Operation operation) implements PricedRequest {

  @Override
  public String method() {
    return operation.row().method();
  }

  @Override
  public String path() {
    return operation.row().path();
  }

  @Override
  public Map<String, List<String>> pathParameters() {
    return Map.of();
  }

  @Override
  public Map<String, List<String>> queryParameters() {
    return Map.of();
  }

  @Override
  public byte[] body() {
    return operation.example().toString().getBytes(StandardCharsets.UTF_8);
  }
}
