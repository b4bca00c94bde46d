package dev.octroi.payments.evm;

import dev.octroi.payments.x402.PaymentRequirements;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Signs what is offered and that a payment bought an answer, as the protocol's extension {@code
 * offer-receipt} has it (EIP-712, domains "x402 offer" and "x402 receipt", version 1, chain 1
 * whatever the payment's network). Immutable and thread-safe; the key never leaves it.
 */
public final class ReceiptSigner {

  /** The extension's name. */
  public static final String EXTENSION = "offer-receipt";

  private static final byte[] OFFER_DOMAIN = domain("x402 offer");

  private static final byte[] OFFER_TYPE_HASH =
      Keccak.ofText(
          "Offer(uint256 version,string resourceUrl,string scheme,string network,string asset,"
              + "string payTo,string amount,uint256 validUntil)");

  private static final byte[] DOMAIN = domain("x402 receipt");

  private static final byte[] TYPE_HASH =
      Keccak.ofText(
          "Receipt(uint256 version,string network,string resourceUrl,string payer,"
              + "uint256 issuedAt,string transaction)");

  private final Signatures signatures = Signatures.fastest();
  private final byte[] privateKey;

  /**
   * What a receipt says.
   *
   * @param network CAIP-2 id of the network that was paid on
   * @param resourceUrl the absolute address that was paid for
   * @param payer the payer's address
   * @param issuedAt when the receipt was made, whole seconds
   * @param transaction the transaction that paid
   */
  public record Receipt(
      String network, String resourceUrl, String payer, Instant issuedAt, String transaction) {

    /** What is signed: 32 bytes. */
    public byte[] digest() {
      byte[] words =
          AbiWords.of(
              TYPE_HASH,
              1,
              Keccak.ofText(network),
              Keccak.ofText(resourceUrl),
              Keccak.ofText(payer),
              issuedAt.getEpochSecond(),
              Keccak.ofText(transaction));
      return TokenDomain.digest(DOMAIN, words);
    }
  }

  /**
   * What an offer says.
   *
   * @param resourceUrl the absolute address that is to be paid for
   * @param terms the entry of {@code accepts}
   * @param validUntil how long it stands, whole seconds
   */
  public record Offer(String resourceUrl, PaymentRequirements terms, Instant validUntil) {

    /** What is signed: 32 bytes. */
    public byte[] digest() {
      byte[] words =
          AbiWords.of(
              OFFER_TYPE_HASH,
              1,
              Keccak.ofText(resourceUrl),
              Keccak.ofText(terms.scheme()),
              Keccak.ofText(terms.network()),
              Keccak.ofText(terms.asset()),
              Keccak.ofText(terms.payTo()),
              Keccak.ofText(terms.amount()),
              validUntil.getEpochSecond());
      return TokenDomain.digest(OFFER_DOMAIN, words);
    }
  }

  /**
   * A signer with a key of its own, which should not be that of the address that is paid.
   *
   * @param privateKey 64 hex digits, with or without {@code 0x}
   * @throws IllegalArgumentException if it is no private key; the message does not repeat it
   */
  public ReceiptSigner(String privateKey) {
    this.privateKey = Signatures.privateKey(privateKey);
  }

  /** By which address a verifier knows what it signed. */
  public EvmAddress address() {
    return signatures.address(privateKey);
  }

  /** The signed receipt: {@code format}, {@code payload} and {@code signature}. */
  public Map<String, Object> sign(Receipt receipt) {
    Map<String, Object> payload = new LinkedHashMap<>();
    payload.put("version", 1);
    payload.put("network", receipt.network());
    payload.put("resourceUrl", receipt.resourceUrl());
    payload.put("payer", receipt.payer());
    payload.put("issuedAt", receipt.issuedAt().getEpochSecond());
    payload.put("transaction", receipt.transaction());
    return signed(payload, receipt.digest());
  }

  /** The signed offer: {@code format}, {@code payload} and {@code signature}. */
  public Map<String, Object> sign(Offer offer) {
    Map<String, Object> payload = new LinkedHashMap<>();
    payload.put("version", 1);
    payload.put("resourceUrl", offer.resourceUrl());
    payload.put("scheme", offer.terms().scheme());
    payload.put("network", offer.terms().network());
    payload.put("asset", offer.terms().asset());
    payload.put("payTo", offer.terms().payTo());
    payload.put("amount", offer.terms().amount());
    payload.put("validUntil", offer.validUntil().getEpochSecond());
    return signed(payload, offer.digest());
  }

  private Map<String, Object> signed(Map<String, Object> payload, byte[] digest) {
    Map<String, Object> signed = new LinkedHashMap<>();
    signed.put("format", "eip712");
    signed.put("payload", payload);
    signed.put("signature", Hex.of(signatures.sign(digest, privateKey)));
    return signed;
  }

  private static byte[] domain(String name) {
    return Keccak.hash(
        AbiWords.of(
            Keccak.ofText("EIP712Domain(string name,string version,uint256 chainId)"),
            Keccak.ofText(name),
            Keccak.ofText("1"),
            1));
  }

  /** The address; the key is masked. */
  @Override
  public String toString() {
    return "ReceiptSigner[" + address() + ", key ***]";
  }
}
