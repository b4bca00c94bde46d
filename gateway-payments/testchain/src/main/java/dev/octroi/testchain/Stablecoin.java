package dev.octroi.testchain;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.DynamicArray;
import org.web3j.abi.datatypes.DynamicBytes;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.Type;
import org.web3j.abi.datatypes.Utf8String;
import org.web3j.abi.datatypes.generated.Bytes32;
import org.web3j.abi.datatypes.generated.Uint256;
import org.web3j.abi.datatypes.generated.Uint8;
import org.web3j.crypto.ECKeyPair;
import org.web3j.crypto.Hash;
import org.web3j.crypto.Keys;
import org.web3j.crypto.Sign;

/**
 * The real stablecoin's contracts on a test's chain: FiatTokenV2_2 behind its proxy, at its address
 * on Base, with its name, version and six decimals there.
 *
 * @param anvil the chain
 * @param address the token
 */
public record Stablecoin(Anvil anvil, String address) {

  /** Where it is on Base. */
  public static final String ON_BASE = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

  private static final String ADMIN_SLOT = slot("org.zeppelinos.proxy.admin");
  private static final String IMPLEMENTATION_SLOT = slot("org.zeppelinos.proxy.implementation");
  private static final BigInteger ALL = BigInteger.ONE.shiftLeft(255);

  private static final byte[] CANCEL_TYPE =
      Hash.sha3(
          "CancelAuthorization(address authorizer,bytes32 nonce)"
              .getBytes(StandardCharsets.US_ASCII));

  /** Deploys it, and Multicall3 too. */
  public static Stablecoin deploy(Anvil anvil) {
    Contracts.deployMulticall3(anvil);
    return deployAt(anvil, ON_BASE);
  }

  /** Deploys it at any address. */
  public static Stablecoin deployAt(Anvil anvil, String address) {
    String library = anvil.deploy(Artifacts.creationCode("util", "SignatureChecker"));
    String code = anvil.deploy(Artifacts.linked("v2", "FiatTokenV2_2", library));
    anvil.setCode(address, Artifacts.runningCode("v1", "FiatTokenProxy"));
    store(anvil, address, IMPLEMENTATION_SLOT, code);
    store(anvil, address, ADMIN_SLOT, anvil.account(9));
    Stablecoin token = new Stablecoin(anvil, address);
    token.initialise();
    return token;
  }

  private void initialise() {
    Address owner = new Address(owner());
    execute(
        "initialize",
        new Utf8String("USD Coin"),
        new Utf8String("USDC"),
        new Utf8String("USD"),
        new Uint8(6),
        owner,
        owner,
        owner,
        owner);
    execute("initializeV2", new Utf8String("USD Coin"));
    execute("initializeV2_1", owner);
    execute("initializeV2_2", new DynamicArray<>(Address.class, List.of()), new Utf8String("USDC"));
    execute("configureMinter", owner, new Uint256(ALL));
  }

  private String owner() {
    return anvil.account(8);
  }

  /** Gives an account money, in atomic units. */
  public void mint(String to, long amount) {
    execute("mint", new Address(to), new Uint256(amount));
  }

  /** Refuses an account, as its issuer can. */
  public void blacklist(String account) {
    execute("blacklist", new Address(account));
  }

  /** Moves money out of an account, without its key. */
  public void transfer(String from, String to, long amount) {
    anvil.setBalance(from, BigInteger.TEN.pow(18));
    anvil.execute(from, address, data("transfer", new Address(to), new Uint256(amount)));
  }

  /** What an account has, in atomic units. */
  public long balanceOf(String account) {
    return ask("balanceOf", new Address(account)).longValueExact();
  }

  /** Whether an authorization was used or cancelled. */
  public boolean authorizationState(String payer, byte[] nonce) {
    return ask("authorizationState", new Address(payer), new Bytes32(nonce)).signum() != 0;
  }

  /** Cancels an authorization with the payer's own signature; returns the transaction's hash. */
  public String cancelAuthorization(byte[] payerKey, byte[] nonce) {
    ECKeyPair key = ECKeyPair.create(payerKey);
    Address payer = new Address("0x" + Keys.getAddress(key));
    byte[] domain = bytes(anvil.ask(address, data("DOMAIN_SEPARATOR")));
    byte[] message =
        bytes(
            "0x"
                + FunctionEncoder.encodeConstructor(
                    List.of(new Bytes32(CANCEL_TYPE), payer, new Bytes32(nonce))));
    byte[] digest = Hash.sha3(concat(new byte[] {0x19, 0x01}, domain, Hash.sha3(message)));
    Sign.SignatureData signature = Sign.signMessage(digest, key, false);
    DynamicBytes packed =
        new DynamicBytes(concat(signature.getR(), signature.getS(), signature.getV()));
    String data = data("cancelAuthorization", payer, new Bytes32(nonce), packed);
    return anvil.execute(owner(), address, data).path("transactionHash").textValue();
  }

  private void execute(String function, Type<?>... arguments) {
    anvil.execute(owner(), address, data(function, arguments));
  }

  private BigInteger ask(String function, Type<?>... arguments) {
    return new BigInteger(anvil.ask(address, data(function, arguments)).substring(2), 16);
  }

  @SuppressWarnings("rawtypes")
  private static String data(String function, Type<?>... arguments) {
    return FunctionEncoder.encode(new Function(function, List.<Type>of(arguments), List.of()));
  }

  private static void store(Anvil anvil, String contract, String slot, String address) {
    String word = "0x" + "0".repeat(24) + address.substring(2);
    anvil.call("anvil_setStorageAt", contract, slot, word);
  }

  private static String slot(String name) {
    return "0x" + HexFormat.of().formatHex(Hash.sha3(name.getBytes(StandardCharsets.US_ASCII)));
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex, 2, hex.length());
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
