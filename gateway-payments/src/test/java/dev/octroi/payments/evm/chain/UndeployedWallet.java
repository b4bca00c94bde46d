package dev.octroi.payments.evm.chain;

import dev.octroi.payments.evm.EvmAddress;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.Keccak;
import dev.octroi.payments.evm.SignedAuthorization;
import dev.octroi.testchain.Contracts;
import java.util.HexFormat;
import java.util.List;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.DynamicBytes;

/** A wallet whose address is known before the public CREATE2 factory has deployed it. */
public record UndeployedWallet(byte[] factoryData, EvmAddress address) {

  /** Puts what follows 32 bytes of salt at an address that only the two decide. */
  public static final EvmAddress FACTORY =
      EvmAddress.parse("0x4e59b44847b379578588920cA78FbF26c0B4956C");

  private static final String SALT = "00".repeat(32);

  public UndeployedWallet(EvmAddress owner) {
    this(
        Hex.parse("0x" + SALT + Contracts.walletCreation(owner.toString()).substring(2)),
        predicted(Contracts.walletCreation(owner.toString())));
  }

  private static EvmAddress predicted(String creationCode) {
    String code = HexFormat.of().formatHex(Keccak.hash(Hex.parse(creationCode)));
    byte[] hash = Keccak.hash(Hex.parse("0xff" + FACTORY.lowerCase().substring(2) + SALT + code));
    return EvmAddress.parse("0x" + HexFormat.of().formatHex(hash, 12, 32));
  }

  /** The same payment, whose signature says how the wallet comes to be (ERC-6492). */
  public SignedAuthorization wrapped(SignedAuthorization signed) {
    String parts =
        FunctionEncoder.encodeConstructor(
            List.of(
                new Address(FACTORY.lowerCase()),
                new DynamicBytes(factoryData),
                new DynamicBytes(signed.signature())));
    return new SignedAuthorization(
        signed.authorization(), Hex.parse("0x" + parts + "6492".repeat(16)));
  }
}
