package dev.octroi.payments.solana;

import dev.octroi.payments.Sha256;
import dev.octroi.payments.solana.WireReader.MalformedTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A transaction of Solana: a message and its signers' signatures, in the order of the message's
 * first accounts. Well-formed; nothing in it is trusted yet.
 *
 * @param signatures 64 bytes each; an absent one is zeros
 * @param bytes the message as it was signed
 * @param message the same, read
 */
record SolanaTransaction(List<byte[]> signatures, byte[] bytes, SolanaMessage message) {

  /** What fits into one packet of the chain's network. */
  static final int MAX_BYTES = 1232;

  private static final int MAX_CHARS = (MAX_BYTES + 2) / 3 * 4;

  /**
   * Reads padded standard base64 of a whole transaction.
   *
   * @throws MalformedTransaction if it is anything else, or longer than the chain takes
   */
  static SolanaTransaction readBase64(String text) {
    if (text.length() > MAX_CHARS) {
      throw new MalformedTransaction("it is longer than a packet");
    }
    try {
      return read(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw new MalformedTransaction("it is not base64");
    }
  }

  /** Reads a whole transaction. Throws {@link MalformedTransaction} if the bytes are none. */
  static SolanaTransaction read(byte[] wire) {
    if (wire.length > MAX_BYTES) {
      throw new MalformedTransaction("it is longer than a packet");
    }
    WireReader in = new WireReader(wire);
    int count = in.count(Ed25519.SIGNATURE_BYTES);
    List<byte[]> signatures = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      signatures.add(in.bytes(Ed25519.SIGNATURE_BYTES));
    }
    byte[] bytes = in.rest();
    SolanaMessage message = SolanaMessage.read(bytes);
    if (message.signers() != count) {
      throw new MalformedTransaction("it has not as many signatures as signers");
    }
    return new SolanaTransaction(List.copyOf(signatures), bytes, message);
  }

  /** The same with one signature made by a wallet that is among its signers. */
  SolanaTransaction signedBy(SolanaWallet wallet) {
    int place = message.accounts().indexOf(wallet.address());
    if (place < 0 || place >= signatures.size()) {
      throw new IllegalArgumentException("the wallet is not among the signers");
    }
    List<byte[]> signed = new ArrayList<>(signatures);
    signed.set(place, wallet.sign(bytes));
    return new SolanaTransaction(List.copyOf(signed), bytes, message);
  }

  /** Whether the signature at a place is there and is its signer's. */
  boolean isSigned(int place) {
    return Ed25519.verify(message.accounts().get(place), bytes, signatures.get(place));
  }

  /** Whether there is no signature at a place yet. */
  boolean isUnsigned(int place) {
    return Arrays.equals(signatures.get(place), new byte[Ed25519.SIGNATURE_BYTES]);
  }

  /** What the chain knows the transaction by: its fee payer's signature in base58. */
  String id() {
    return Base58.encode(signatures.get(0));
  }

  /**
   * SHA-256 of the message in lower-case hex: what makes a payment unique, whatever its signatures.
   */
  String messageHash() {
    return Sha256.hex(bytes);
  }

  /** The transaction as it goes over the wire. */
  byte[] toBytes() {
    WireWriter out = new WireWriter().count(signatures.size());
    signatures.forEach(out::bytes);
    return out.bytes(bytes).toBytes();
  }

  String toBase64() {
    return Base64.getEncoder().encodeToString(toBytes());
  }
}
