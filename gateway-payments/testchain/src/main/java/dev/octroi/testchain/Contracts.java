package dev.octroi.testchain;

import java.util.List;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.generated.Uint8;

/** Contracts besides the stablecoin: the public batcher, wallets that sign, and bad tokens. */
public final class Contracts {

  /** Where Multicall3 is on nearly every chain. */
  public static final String MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";

  /** Where Permit2 is on nearly every chain. */
  public static final String PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

  /** Where the proxy is that settles permits of the exact scheme. */
  public static final String EXACT_PROXY = "0x402085c248EeA27D92E8b30b2C58ed07f9E20001";

  /** Where the proxy is that settles permits of the upto scheme. */
  public static final String UPTO_PROXY = "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002";

  /** Where the contract is that holds the money of channels. */
  public static final String BATCH_SETTLEMENT = "0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003";

  /** Where the contract is that collects deposits by EIP-3009. */
  public static final String DEPOSIT_COLLECTOR = "0x4020806089470a89826cB9fB1f4059150b550004";

  /** Where the contract is that collects deposits by Permit2. */
  public static final String PERMIT_COLLECTOR = "0x4020425FAf3B746C082C2f942b4E5159887B0005";

  /**
   * A token that has ten million of everything, says yes to everything and does nothing: its code
   * answers 0 to {@code authorizationState} and 10^13 to any other call.
   */
  private static final String SILENT_TOKEN =
      "0x60003560e01c" // the selector
          + "63e94a01021415" // is not authorizationState
          + "6509184e72a00002" // times 10^13
          + "60005260206000f3"; // is the answer

  /** The same token, but both forms of {@code transferWithAuthorization} revert. */
  private static final String REVERTING_TOKEN =
      "0x60003560e01c" // the selector
          + "8063e3ee160e14" // is the one form
          + "8163cf09299514" // or the other
          + "17602f57" // then to the end
          + "63e94a01021415"
          + "6509184e72a00002"
          + "60005260206000f3"
          + "5b60006000fd"; // which reverts

  /** Takes any signature for its own where it has more gas left than this, and else loops. */
  private static final String GREEDY_WALLET =
      "0x63%08x" // so much
          + "5a11600e57" // is less than what is left
          + "5b600a56" // or it never ends
          + "5b631626ba7e60e01b" // the answer of ERC-1271
          + "60005260206000f3";

  private Contracts() {}

  /** Puts Multicall3 at its address. */
  public static void deployMulticall3(Anvil anvil) {
    String elsewhere = anvil.deploy(Artifacts.multicall3());
    anvil.setCode(MULTICALL3, anvil.call("eth_getCode", elsewhere, "latest").textValue());
  }

  /** Puts Permit2 at its address, and stand-ins of the two proxies at theirs. */
  public static void deployPermit2(Anvil anvil) {
    anvil.setCode(PERMIT2, Artifacts.permit2(Anvil.CHAIN_ID));
    anvil.setCode(EXACT_PROXY, Artifacts.compiled("ExactProxy", "running"));
    anvil.setCode(UPTO_PROXY, Artifacts.compiled("UptoProxy", "running"));
  }

  /** Puts stand-ins of the contract for channels and of its collectors at their addresses. */
  public static void deployBatchSettlement(Anvil anvil) {
    anvil.setCode(BATCH_SETTLEMENT, Artifacts.compiled("BatchSettlement", "running"));
    anvil.setCode(DEPOSIT_COLLECTOR, Artifacts.compiled("DepositCollector", "running"));
    anvil.setCode(PERMIT_COLLECTOR, Artifacts.compiled("PermitCollector", "running"));
  }

  /** Creates a token of 18 decimals with permits (EIP-2612), which anybody mints. */
  public static String deployPlainToken(Anvil anvil) {
    return deployPlainToken(anvil, 18);
  }

  /** The same of other decimals. */
  public static String deployPlainToken(Anvil anvil, int decimals) {
    return anvil.deploy(
        Artifacts.compiled("PlainToken", "creation")
            + FunctionEncoder.encodeConstructor(List.of(new Uint8(decimals))));
  }

  /** Creates a contract that passes calls on: {@code forward(address,bytes)}. */
  public static String deployForwarder(Anvil anvil) {
    return anvil.deploy(Artifacts.compiled("Forwarder", "creation"));
  }

  /** Puts a token at an address that takes every transfer for good and moves nothing. */
  public static void putSilentToken(Anvil anvil, String address) {
    anvil.setCode(address, SILENT_TOKEN);
  }

  /** Puts a token at an address on which no transfer succeeds. */
  public static void putRevertingToken(Anvil anvil, String address) {
    anvil.setCode(address, REVERTING_TOKEN);
  }

  /** Creates a contract wallet (ERC-1271) for which an owner's key signs; returns its address. */
  public static String deployWallet(Anvil anvil, String owner) {
    return anvil.deploy(walletCreation(owner));
  }

  /** Makes an account a wallet to which every signature is good while it has more gas than this. */
  public static void putGreedyWallet(Anvil anvil, String address, int gas) {
    anvil.setCode(address, GREEDY_WALLET.formatted(gas));
  }

  /** What creates such a wallet. */
  public static String walletCreation(String owner) {
    return Artifacts.creationCode("test", "MockERC1271Wallet")
        + FunctionEncoder.encodeConstructor(List.of(new Address(owner)));
  }
}
