package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Signatures;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.payments.evm.TransferAuthorization;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.DynamicBytes;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.Type;
import org.web3j.abi.datatypes.generated.Bytes32;
import org.web3j.abi.datatypes.generated.Uint256;
import org.web3j.abi.datatypes.generated.Uint8;

/** Calldata of a stablecoin with signed authorizations (EIP-3009), and of wallets (ERC-1271). */
public final class TokenCalls {

  private TokenCalls() {}

  /**
   * Moves the money: with r, s and v where the signature has a key's 65 bytes ({@code 0xe3ee160e}),
   * else with its bytes ({@code 0xcf092995}); x402, exact on EVM, settle.
   */
  public static byte[] transfer(SignedAuthorization signed) {
    TransferAuthorization terms = signed.authorization();
    List<Type<?>> arguments = new ArrayList<>();
    arguments.add(address(terms.from()));
    arguments.add(address(terms.to()));
    arguments.add(new Uint256(terms.value()));
    arguments.add(new Uint256(terms.validAfter()));
    arguments.add(new Uint256(terms.validBefore()));
    arguments.add(new Bytes32(terms.nonce()));
    byte[] signature = signed.signature();
    if (signature.length == Signatures.BYTES) {
      arguments.add(new Uint8(Signatures.v(signature)));
      arguments.add(new Bytes32(Arrays.copyOfRange(signature, 0, 32)));
      arguments.add(new Bytes32(Arrays.copyOfRange(signature, 32, 64)));
    } else {
      arguments.add(new DynamicBytes(signature));
    }
    return encode("transferWithAuthorization", arguments);
  }

  /** An account's balance. */
  public static byte[] balanceOf(EvmAddress account) {
    return encode("balanceOf", List.of(address(account)));
  }

  /** How many decimals a token has. */
  static byte[] decimals() {
    return encode("decimals", List.of());
  }

  /** What an account lets a spender move. */
  public static byte[] allowance(EvmAddress account, EvmAddress spender) {
    return encode("allowance", List.of(address(account), address(spender)));
  }

  /** Lets a spender move this much of the caller's. */
  static byte[] approve(EvmAddress spender, BigInteger amount) {
    return encode("approve", List.of(address(spender), new Uint256(amount)));
  }

  /** The nonces of Permit2 that an owner has used, 256 of them, of which one is asked for. */
  public static byte[] nonceBitmap(EvmAddress owner, BigInteger nonce) {
    return encode("nonceBitmap", List.of(address(owner), new Uint256(nonce.shiftRight(8))));
  }

  /** Whether a nonce is among the used ones. */
  public static boolean isUsed(BigInteger bitmap, BigInteger nonce) {
    return bitmap.testBit(nonce.intValue() & 0xff);
  }

  /** Whether an authorization was used or cancelled. */
  public static byte[] authorizationState(EvmAddress payer, byte[] nonce) {
    return encode("authorizationState", List.of(address(payer), new Bytes32(nonce)));
  }

  /** Whether a wallet that is a contract takes a signature for its own. */
  static byte[] isValidSignature(byte[] digest, byte[] signature) {
    return encode("isValidSignature", List.of(new Bytes32(digest), new DynamicBytes(signature)));
  }

  /** The number that a call returned; zero where it failed or returned nothing. */
  static BigInteger number(Multicall3.Result result) {
    return result.success() && result.data().length >= AbiReader.WORD
        ? new BigInteger(1, result.data(), 0, AbiReader.WORD)
        : BigInteger.ZERO;
  }

  private static Address address(EvmAddress address) {
    return new Address(address.lowerCase());
  }

  @SuppressWarnings("rawtypes")
  private static byte[] encode(String name, List<? extends Type<?>> arguments) {
    List<Type> inputs = new ArrayList<>(arguments);
    return Hex.parse(FunctionEncoder.encode(new Function(name, inputs, List.of())));
  }
}
