package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import java.util.List;
import java.util.stream.IntStream;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.Bool;
import org.web3j.abi.datatypes.DynamicArray;
import org.web3j.abi.datatypes.DynamicBytes;
import org.web3j.abi.datatypes.DynamicStruct;
import org.web3j.abi.datatypes.Function;

/**
 * The public contract that makes several calls in one, at the same address on nearly every chain.
 */
public final class Multicall3 {

  public static final EvmAddress ADDRESS =
      EvmAddress.parseChecked("0xcA11bde05977b3631167028862bE2a173976CA11");

  /** Its method that tells the block's time. */
  static final Call TIME = new Call(ADDRESS, Hex.parse("0x0f28c97d"));

  private Multicall3() {}

  /**
   * One of the calls, allowed to fail alone.
   *
   * @param target a contract
   * @param data calldata
   */
  public record Call(EvmAddress target, byte[] data) {}

  /**
   * How one call ended.
   *
   * @param success false if it reverted
   * @param data what it returned, or why it reverted
   */
  public record Result(boolean success, byte[] data) {}

  /** Calldata of {@code aggregate3}, which makes the calls in their order. */
  public static byte[] aggregate3(List<Call> calls) {
    List<Struct> structs = calls.stream().map(Struct::new).toList();
    Function function =
        new Function("aggregate3", List.of(new DynamicArray<>(Struct.class, structs)), List.of());
    return Hex.parse(FunctionEncoder.encode(function));
  }

  /**
   * What {@code aggregate3} returned.
   *
   * @throws ChainUnavailable if it is not that, as where the contract is missing
   */
  public static List<Result> results(byte[] returned, int calls) {
    try {
      AbiReader results = new AbiReader(returned, 0).at(0);
      if (results.number(0) != calls) {
        throw new IllegalArgumentException("another number of results");
      }
      AbiReader elements = results.after(1);
      return IntStream.range(0, calls)
          .mapToObj(elements::at)
          .map(element -> new Result(element.flag(0), element.bytes(1)))
          .toList();
    } catch (IllegalArgumentException e) {
      throw new ChainUnavailable("there is no Multicall3 at " + ADDRESS + " on this chain");
    }
  }

  /** The encoder wants a class that it can name. */
  private static final class Struct extends DynamicStruct {

    Struct(Call call) {
      super(new Address(call.target().lowerCase()), new Bool(true), new DynamicBytes(call.data()));
    }
  }
}
