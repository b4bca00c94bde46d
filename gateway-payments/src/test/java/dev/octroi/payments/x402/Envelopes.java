package dev.octroi.payments.x402;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** Payment headers in text, as a client would make them. */
final class Envelopes {

  static final String ACCEPTED =
      """
      {"scheme":"exact","network":"eip155:8453","amount":"10000",\
      "asset":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",\
      "payTo":"0x209693Bc6afc0C5328bA36FaF03C514EF312287C","maxTimeoutSeconds":300,\
      "extra":{"name":"USD Coin","version":"2"}}""";

  static final String VALID =
      """
      {"x402Version":2,"resource":{"url":"http://127.0.0.1/v1/a"},"accepted":%s,\
      "payload":{"signature":"0x00","authorization":{"from":"0x01","nonce":"0x02"}},\
      "extensions":{}}"""
          .formatted(ACCEPTED);

  private Envelopes() {}

  static PaymentPayload read(String json) {
    return PaymentPayload.read(base64(json.getBytes(StandardCharsets.UTF_8)));
  }

  /** A payment that says it accepted these terms. */
  static PaymentPayload payment(PaymentRequirements terms) {
    return PaymentPayload.read(
        PaymentPayload.header(
            ResourceInfo.at("http://127.0.0.1/v1/a"), terms, Map.of("signature", "0x00")));
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static String base64(String json) {
    return base64(json.getBytes(StandardCharsets.UTF_8));
  }
}
