package dev.octroi.api.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.x402.PaymentHeaders;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says over the Model Context Protocol what was answered over HTTP. */
final class ToolAnswers {

  private static final String ERROR = "x402/error";
  private static final String STATUS = "octroi/status";
  private static final String PRICE = "octroi/price";

  private ToolAnswers() {}

  static CallToolResult of(InnerAnswer answer) {
    Optional<ObjectNode> challenge =
        answer.status() == 402 ? answer.header(PaymentHeaders.PAYMENT_REQUIRED) : Optional.empty();
    if (challenge.isPresent()) {
      return unpaid(answer, challenge.get());
    }
    Object structured = answer.object().map(ToolJson.INSTANCE::map).orElse(null);
    return result(answer.text(), answer.status() >= 400, structured, meta(answer));
  }

  /** An error of the tool itself. */
  static CallToolResult refused(String sentence) {
    return result(sentence, true, null, Map.of());
  }

  /** In both forms that clients look for: the challenge itself, and wrapped as text. */
  private static CallToolResult unpaid(InnerAnswer answer, ObjectNode challenge) {
    answer
        .header(PaymentHeaders.PAYMENT_RESPONSE)
        .ifPresent(settlement -> challenge.set(ToolPayment.RESPONSE, settlement));
    ObjectNode wrapped = ToolJson.INSTANCE.object();
    wrapped
        .putObject(ERROR)
        .put("code", 402)
        .put("message", challenge.path("error").asText())
        .set("data", challenge);
    return result(wrapped.toString(), true, ToolJson.INSTANCE.map(challenge), meta(answer));
  }

  private static CallToolResult result(
      String text, boolean error, @Nullable Object structured, Map<String, Object> meta) {
    List<Content> content = List.of(TextContent.builder(text).build());
    CallToolResult.Builder result = CallToolResult.builder(content).isError(error).meta(meta);
    if (structured != null) {
      result.structuredContent(structured);
    }
    return result.build();
  }

  private static Map<String, Object> meta(InnerAnswer answer) {
    Map<String, Object> meta = new LinkedHashMap<>();
    meta.put(STATUS, answer.status());
    answer
        .header(PaymentHeaders.PAYMENT_RESPONSE)
        .ifPresent(settlement -> meta.put(ToolPayment.RESPONSE, ToolJson.INSTANCE.map(settlement)));
    answer
        .headers()
        .firstValue(PaymentHeaders.PRICE_AMOUNT)
        .ifPresent(amount -> meta.put(PRICE, Map.of("amount", amount, "currency", "USD")));
    return meta;
  }
}
