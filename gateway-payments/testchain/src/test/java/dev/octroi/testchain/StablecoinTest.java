package dev.octroi.testchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.web3j.crypto.ECKeyPair;
import org.web3j.crypto.Keys;

/** The kit itself: that the chain and the contracts are what other tests take them for. */
class StablecoinTest {

  private static final byte[] KEY = filled(0x11);
  private static final String PAYER = "0x" + Keys.getAddress(ECKeyPair.create(KEY));
  private static final String OTHER = "0x00000000000000000000000000000000000000aa";

  private Anvil anvil;
  private Stablecoin coin;

  @BeforeEach
  void start() {
    anvil = Anvil.start();
    coin = Stablecoin.deploy(anvil);
  }

  @AfterEach
  void stop() {
    if (anvil != null) {
      anvil.close();
    }
  }

  @Test
  void moneyIsMintedAndMoved() {
    coin.mint(PAYER, 1_000_000);
    coin.transfer(PAYER, OTHER, 400_000);

    assertThat(coin.balanceOf(PAYER)).isEqualTo(600_000);
    assertThat(coin.balanceOf(OTHER)).isEqualTo(400_000);
  }

  @Test
  void aCancelledAuthorizationCountsAsUsed() {
    byte[] nonce = filled(0x22);
    assertThat(coin.authorizationState(PAYER, nonce)).isFalse();

    coin.cancelAuthorization(KEY, nonce);

    assertThat(coin.authorizationState(PAYER, nonce)).isTrue();
  }

  @Test
  void permit2HasItsDomainOnThisChain() {
    Contracts.deployPermit2(anvil);

    assertThat(anvil.ask(Contracts.PERMIT2, "0x3644e515"))
        .isEqualTo("0x3b6f35e4fce979ef8eac3bcdc8c3fc38fe7911bb0c69c8fe72bf1fd1a17e6f07");
    assertThat(anvil.ask(Contracts.EXACT_PROXY, "0x6afdd850"))
        .endsWith(Contracts.PERMIT2.substring(2).toLowerCase(java.util.Locale.ROOT));
  }

  @Test
  void theDomainIsThatOfTheRealTokenOnBase() {
    assertThat(anvil.ask(coin.address(), "0x3644e515"))
        .isEqualTo("0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f");
  }

  @Test
  void aRefusedAccountCannotMoveMoney() {
    coin.mint(PAYER, 1_000_000);
    coin.transfer(PAYER, OTHER, 1);
    coin.blacklist(PAYER);

    assertThatThrownBy(() -> coin.transfer(PAYER, OTHER, 1)).hasMessageContaining("failed");
  }

  @Test
  void aReorganisationTakesTransactionsBack() {
    coin.mint(PAYER, 1_000_000);
    anvil.mine(1);
    anvil.reorg(2);

    assertThat(coin.balanceOf(PAYER)).isZero();
  }

  @Test
  void aSnapshotIsComeBackTo() {
    String snapshot = anvil.snapshot();
    coin.mint(PAYER, 1_000_000);
    anvil.revert(snapshot);

    assertThat(coin.balanceOf(PAYER)).isZero();
  }

  @Test
  void withoutAutomineATransactionWaits() {
    anvil.automine(false);
    String transaction = anvil.send(anvil.account(1), OTHER, "0x");
    assertThat(anvil.receipt(transaction).isNull()).isTrue();

    anvil.mine(1);

    assertThat(anvil.receipt(transaction).path("status").textValue()).isEqualTo("0x1");
  }

  @Test
  void aBlockHasTheTimeItIsGiven() {
    long later = anvil.timestamp() + 3_600;
    anvil.timestampOfNextBlock(later);
    anvil.mine(1);

    assertThat(anvil.timestamp()).isEqualTo(later);
  }

  @Test
  void multicall3TellsTheTime() {
    JsonNode code = anvil.call("eth_getCode", Contracts.MULTICALL3, "latest");

    assertThat(code.textValue()).hasSizeGreaterThan(4_000);
    assertThat(Long.decode(anvil.ask(Contracts.MULTICALL3, "0x0f28c97d")))
        .isEqualTo(anvil.timestamp());
  }

  @Test
  void aWalletAcceptsWhatItsOwnerSigned() {
    String wallet = Contracts.deployWallet(anvil, PAYER);

    assertThat(anvil.call("eth_getCode", wallet, "latest").textValue()).hasSizeGreaterThan(100);
  }

  @Test
  void theSilentTokenTakesWhatTheRevertingOneRefuses() {
    Contracts.putSilentToken(anvil, OTHER);
    Contracts.putRevertingToken(anvil, PAYER);

    assertThat(Long.decode(anvil.ask(OTHER, "0xe3ee160e"))).isEqualTo(10_000_000_000_000L);
    assertThat(Long.decode(anvil.ask(OTHER, "0xe94a0102"))).isZero();
    assertThat(Long.decode(anvil.ask(PAYER, "0x70a08231"))).isEqualTo(10_000_000_000_000L);
    assertThat(Long.decode(anvil.ask(PAYER, "0xe94a0102"))).isZero();
    assertThatThrownBy(() -> anvil.ask(PAYER, "0xe3ee160e")).isInstanceOf(NodeRefused.class);
    assertThatThrownBy(() -> anvil.ask(PAYER, "0xcf092995")).isInstanceOf(NodeRefused.class);
  }

  private static byte[] filled(int value) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
