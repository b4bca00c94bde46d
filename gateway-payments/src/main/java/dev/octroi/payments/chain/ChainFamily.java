package dev.octroi.payments.chain;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A family of chains: how its networks, keys and transactions look, and what the protocol calls its
 * faults. All code but a family's own package asks here.
 */
public enum ChainFamily {
  /** Keys and transactions are hex, which has two spellings. */
  EVM(
      "eip155",
      "0x[0-9a-fA-F]{40}",
      "0x[0-9a-fA-F]{64}",
      "invalid_exact_evm_scheme",
      "invalid_exact_evm_network_mismatch",
      "invalid_exact_evm_insufficient_balance",
      "invalid_exact_evm_nonce_already_used") {
    @Override
    public byte[] bytes(String key) {
      if (!key.startsWith(HEX)) {
        throw new IllegalArgumentException("payers and nonces of " + namespace() + " are 0x-hex");
      }
      return HexFormat.of().parseHex(key, HEX.length(), key.length());
    }

    @Override
    public String key(byte[] bytes) {
      return HEX + HexFormat.of().formatHex(bytes);
    }

    @Override
    public String spelling(String key) {
      return key.toLowerCase(Locale.ROOT);
    }
  },
  /** Keys and transactions are base58, which has one spelling. */
  SOLANA(
      "solana",
      "[1-9A-HJ-NP-Za-km-z]{32,44}",
      "[1-9A-HJ-NP-Za-km-z]{64,90}",
      "unsupported_scheme",
      "invalid_network",
      "insufficient_funds",
      "duplicate_settlement") {
    @Override
    public byte[] bytes(String key) {
      return key.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String key(byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String spelling(String key) {
      return key;
    }
  };

  private static final String HEX = "0x";

  /** What the sandbox calls a transaction, on every network. */
  private static final String OF_THE_SANDBOX = "|sandbox:[0-9a-f-]{36}";

  private final String namespace;
  private final Pattern address;
  private final Pattern transaction;
  private final String unsupportedScheme;
  private final String unsupportedNetwork;
  private final String insufficientFunds;
  private final String usedBefore;

  ChainFamily(
      String namespace,
      String address,
      String transaction,
      String unsupportedScheme,
      String unsupportedNetwork,
      String insufficientFunds,
      String usedBefore) {
    this.namespace = namespace;
    this.address = Pattern.compile(address);
    this.transaction = Pattern.compile(transaction + OF_THE_SANDBOX);
    this.unsupportedScheme = unsupportedScheme;
    this.unsupportedNetwork = unsupportedNetwork;
    this.insufficientFunds = insufficientFunds;
    this.usedBefore = usedBefore;
  }

  /**
   * The family of a network.
   *
   * @param network CAIP-2 id; one that no family has counts as {@link #SOLANA}, whose texts pass
   *     through as they are
   */
  public static ChainFamily of(String network) {
    String evm = EVM.namespace;
    boolean named = network.startsWith(evm) && network.startsWith(":", evm.length());
    return named ? EVM : SOLANA;
  }

  /** The family that writes its keys like this one. */
  public static ChainFamily ofKey(String key) {
    return key.regionMatches(true, 0, HEX, 0, HEX.length()) ? EVM : SOLANA;
  }

  /** The first part of its networks' CAIP-2 ids. */
  public String namespace() {
    return namespace;
  }

  /**
   * A payer, payee or nonce as the ledger stores it.
   *
   * @throws IllegalArgumentException if it has not the family's form
   */
  public abstract byte[] bytes(String key);

  /** The same as it was before {@link #bytes}, in its one spelling. */
  public abstract String key(byte[] bytes);

  /** The one spelling by which keys are compared. */
  public abstract String spelling(String key);

  /** Whether two texts are one key. */
  public boolean isSame(String one, String other) {
    return spelling(one).equals(spelling(other));
  }

  /** Whether a text has the form of an address. */
  public boolean isAddress(String text) {
    return address.matcher(text).matches();
  }

  /** Whether a text has the form of a transaction's id. */
  public boolean isTransaction(String text) {
    return transaction.matcher(text).matches();
  }

  /** The protocol's reason for a scheme that is not offered. */
  public String unsupportedScheme() {
    return unsupportedScheme;
  }

  /** The protocol's reason for a network that is not offered. */
  public String unsupportedNetwork() {
    return unsupportedNetwork;
  }

  /** The protocol's reason for a payer who has too little. */
  public String insufficientFunds() {
    return insufficientFunds;
  }

  /** The protocol's reason for a payment that was used before. */
  public String usedBefore() {
    return usedBefore;
  }
}
