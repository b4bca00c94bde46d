package dev.octroi.reference.process;

import static org.awaitility.Awaitility.await;

import dev.octroi.payments.client.Wallet;
import dev.octroi.sandbox.Sandbox;
import dev.octroi.testchain.Anvil;
import dev.octroi.testchain.Stablecoin;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A chain with the real stablecoin, and the built jar that settles on it by itself. */
final class ChainShop implements AutoCloseable {

  static final String SELLER = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";

  /** Of who pays for gas. */
  static final String RELAYER_KEY = "46".repeat(32);

  private static final String TREASURY_KEY = "47".repeat(32);
  static final long FUNDS = 1_000_000_000;

  private final Sandbox upstream = Sandbox.start();
  final Anvil anvil = Anvil.start();
  final Stablecoin coin = Stablecoin.deploy(anvil);

  ChainShop() {
    anvil.setBalance(relayer(), BigInteger.TEN.pow(20));
  }

  /** The account that pays for gas. */
  static String relayer() {
    return Wallet.fromHex(RELAYER_KEY).address().toString();
  }

  /** The account that pays refunds. */
  static String treasury() {
    return Wallet.fromHex(TREASURY_KEY).address().toString();
  }

  /** The jar, with its data in a folder; its keys lie in files there. */
  BuiltJar jar(Path folder) throws IOException {
    return settling(BuiltJar.in(folder, "--port", "0", "--data", folder.toString()));
  }

  /** The same where it is not measured. */
  BuiltJar quickJar(Path folder) throws Exception {
    return settling(BuiltJar.quickIn(folder, "--port", "0", "--data", folder.toString()));
  }

  /** A command that is told of the same settings. */
  BuiltJar quickJar(Path folder, String command) throws Exception {
    return settling(BuiltJar.quickIn(folder, command, "--data", folder.toString()));
  }

  /** The jar that has a facilitator settle on this chain, and reads the chain itself. */
  BuiltJar quickJarBehind(URI facilitator, Path folder) throws Exception {
    return behind(
        facilitator, BuiltJar.quickIn(folder, "--port", "0", "--data", folder.toString()));
  }

  /** A command that is told of the same settings. */
  BuiltJar quickJarBehind(URI facilitator, Path folder, String command) throws Exception {
    return behind(facilitator, BuiltJar.quickIn(folder, command, "--data", folder.toString()));
  }

  private BuiltJar behind(URI facilitator, BuiltJar plain) {
    return selling(plain)
        .set("gateway.payments.mode", "remote")
        .set("gateway.facilitator.urls", facilitator.toString());
  }

  private BuiltJar settling(BuiltJar plain) throws IOException {
    Path keys = Files.createDirectories(plain.folder()).resolve("relayer-keys");
    Files.writeString(keys, RELAYER_KEY);
    Path treasury = plain.folder().resolve("treasury-key");
    Files.writeString(treasury, TREASURY_KEY + "\n");
    return selling(plain)
        .set("gateway.payments.mode", "chain")
        .set("gateway.chain.relayer-keys-file", keys.toString())
        .set("gateway.books.treasury-key-file", treasury.toString());
  }

  private BuiltJar selling(BuiltJar plain) {
    BuiltJar jar = plain;
    for (Map.Entry<String, String> setting : upstream.settings().entrySet()) {
      jar = jar.set(setting.getKey(), setting.getValue());
    }
    return jar.set("gateway.payments.pay-to", SELLER)
        .set("gateway.chain.rpc-url", anvil.url().toString())
        .set("gateway.database.answer-key", "A".repeat(43) + "=");
  }

  /** A payer with a thousand dollars. */
  Wallet payer() {
    Wallet payer = Wallet.generate();
    coin.mint(payer.address().toString(), FUNDS);
    return payer;
  }

  /** The transaction that waits to be mined, once there is one. */
  String awaitPending() {
    return await()
        .atMost(Running.TIMEOUT)
        .until(
            () ->
                anvil
                    .call("eth_getBlockByNumber", "pending", false)
                    .path("transactions")
                    .path(0)
                    .asText(),
            hash -> !hash.isEmpty());
  }

  long earned() {
    return coin.balanceOf(SELLER);
  }

  @Override
  public void close() {
    anvil.close();
    upstream.close();
  }
}
