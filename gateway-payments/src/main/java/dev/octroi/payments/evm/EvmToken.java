package dev.octroi.payments.evm;

import dev.octroi.payments.x402.PaymentOption;
import java.util.List;
import java.util.Map;

/**
 * A stablecoin of six decimals that moves by signed authorization (EIP-3009).
 *
 * @param network CAIP-2 id of an EVM chain
 * @param address the token's contract
 * @param name its EIP-712 name
 * @param version its EIP-712 version
 */
public record EvmToken(String network, EvmAddress address, String name, String version) {

  public static final EvmToken BASE_USDC =
      new EvmToken(
          "eip155:8453",
          EvmAddress.parseChecked("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
          "USD Coin",
          "2");

  public static final EvmToken BASE_SEPOLIA_USDC =
      new EvmToken(
          "eip155:84532",
          EvmAddress.parseChecked("0x036CbD53842c5426634e7929541eC2318f3dCF7e"),
          "USDC",
          "2");

  /** The tokens that need no configuration. */
  public static final List<EvmToken> KNOWN = List.of(BASE_USDC, BASE_SEPOLIA_USDC);

  /** Throws {@link IllegalArgumentException} if the network is no EVM chain. */
  public EvmToken {
    if (TokenDomain.chainId(network) == 0) {
      throw new IllegalArgumentException("an EVM network is eip155: and a chain id");
    }
  }

  /** The offer to be paid in this token. */
  public PaymentOption payableTo(EvmAddress payTo, int maxTimeoutSeconds) {
    return new PaymentOption(
        network,
        address.toString(),
        payTo.toString(),
        Map.of("name", name, "version", version),
        maxTimeoutSeconds);
  }

  /** The EIP-712 domain of the token. */
  public TokenDomain domain() {
    return new TokenDomain(name, version, TokenDomain.chainId(network), address);
  }
}
