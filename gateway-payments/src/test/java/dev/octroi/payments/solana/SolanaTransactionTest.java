package dev.octroi.payments.solana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.payments.solana.WireReader.MalformedTransaction;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("spec:x402.malformed")
class SolanaTransactionTest {

  private static final byte[] PUBLISHED = Base64.getDecoder().decode(Examples.PUBLISHED);

  @Test
  @Tag("spec:x402.known_answer")
  void thePublishedClientsTransactionIsRead() {
    SolanaTransaction transaction = SolanaTransaction.readBase64(Examples.PUBLISHED);
    SolanaMessage message = transaction.message();

    assertThat(message.signers()).isEqualTo(2);
    assertThat(message.feePayer()).isEqualTo(Examples.FEE_PAYER.address());
    assertThat(message.accounts()).hasSize(8);
    assertThat(message.instructions()).hasSize(4);
    assertThat(message.lookups()).isZero();
    assertThat(transaction.isUnsigned(0)).isTrue();
    assertThat(transaction.isSigned(0)).isFalse();
    assertThat(transaction.isSigned(1)).isTrue();
    assertThat(transaction.toBytes()).isEqualTo(PUBLISHED);
    assertThat(transaction.toBase64()).isEqualTo(Examples.PUBLISHED);
    assertThat(TransferChecked.of(message, message.instructions().get(2)))
        .contains(Examples.transfer());
  }

  /** The addresses that the published client derived. */
  @Test
  @Tag("spec:x402.known_answer")
  void associatedAccountsAreThePublishedClients() {
    SolanaAddress payer = Examples.PAYER.address();

    assertThat(AssociatedToken.of(payer, Examples.USDC.mint(), Programs.TOKEN))
        .hasToString("7woc3ajaGMMXczFYjxon4aQoHH3j126fMUR9c58eHRsK");
    assertThat(AssociatedToken.of(Examples.SELLER.address(), Examples.USDC.mint(), Programs.TOKEN))
        .hasToString("G8sVqaVs7nUeXfK48nwmaWocw1T9sVGbqUFYYbX63S1q");
    assertThat(AssociatedToken.of(payer, Examples.USDC.mint(), Programs.TOKEN_2022))
        .isNotEqualTo(AssociatedToken.of(payer, Examples.USDC.mint(), Programs.TOKEN));
  }

  @Property(tries = 200)
  void anAssociatedAccountIsNoPointOfTheCurve(@ForAll @Size(32) byte[] owner) {
    SolanaAddress account =
        AssociatedToken.of(SolanaAddress.of(owner), Examples.USDC.mint(), Programs.TOKEN);

    assertThat(Ed25519.isOnCurve(account.bytes())).isFalse();
  }

  @Test
  void whatSignsIsNotWhatIsHashed() {
    SolanaTransaction unsigned = SolanaTransaction.readBase64(Examples.PUBLISHED);
    SolanaTransaction signed = unsigned.signedBy(Examples.FEE_PAYER);

    assertThat(signed.messageHash()).isEqualTo(unsigned.messageHash()).matches("[0-9a-f]{64}");
    assertThat(signed.isSigned(0)).isTrue();
    assertThat(Base58.decode(signed.id())).isEqualTo(signed.signatures().get(0)).hasSize(64);
    assertThat(SolanaTransaction.read(signed.toBytes()).toBase64()).isEqualTo(signed.toBase64());
  }

  @Test
  void everyPartOfATransactionIsNoTransaction() {
    IntStream.range(0, PUBLISHED.length)
        .forEach(length -> assertRefused(Arrays.copyOf(PUBLISHED, length)));
    assertRefused(Arrays.copyOf(PUBLISHED, PUBLISHED.length + 1));
    assertRefused(new byte[SolanaTransaction.MAX_BYTES + 1]);
  }

  @Property
  void aChangedByteIsRefusedOrReadAsItStands(
      @ForAll @IntRange(min = 0, max = 513) int place, @ForAll byte value) {
    byte[] changed = PUBLISHED.clone();
    changed[place % changed.length] = value;
    assertReadAsItStands(changed);
  }

  @Property
  void anyBytesAreRefusedOrReadAsTheyStand(@ForAll @Size(max = 1300) byte[] bytes) {
    assertReadAsItStands(bytes);
  }

  @Property
  void anyBytesBehindAHeaderAreRefusedOrReadAsTheyStand(
      @ForAll @Size(max = 400) byte[] rest, @ForAll @IntRange(min = 0, max = 4) int signers) {
    WireWriter wire = new WireWriter().count(signers).bytes(new byte[64 * signers]);
    wire.u8(SolanaMessage.VERSION_0).u8(signers).u8(0).u8(0).count(rest.length / 40);
    assertReadAsItStands(wire.bytes(rest).toBytes());
  }

  @Property
  void lengthsHaveOneSpelling(@ForAll @IntRange(min = 0, max = 0xffff) int length) {
    byte[] spelled = new WireWriter().count(length).toBytes();
    WireReader in = new WireReader(spelled);

    assertThat(in.count(0)).isEqualTo(length);
    in.end();
    byte[] longer = Arrays.copyOf(spelled, spelled.length + 1);
    longer[spelled.length - 1] |= (byte) 0x80;
    assertThatThrownBy(() -> new WireReader(longer).count(0))
        .isInstanceOf(MalformedTransaction.class);
  }

  @Test
  void aLengthBeyondSixteenBitsIsRefused() {
    byte[] tooMuch = {(byte) 0xff, (byte) 0xff, 0x04};

    assertThatThrownBy(() -> new WireReader(tooMuch).count(0))
        .isInstanceOf(MalformedTransaction.class);
  }

  @Test
  void aMessageWithoutVersionIsRefused() {
    byte[] message = SolanaTransaction.read(PUBLISHED).bytes();
    byte[] legacy = Arrays.copyOfRange(message, 1, message.length - 1);
    WireWriter wire = new WireWriter().count(2).bytes(new byte[128]).bytes(legacy);

    assertRefused(wire.toBytes());
  }

  @Test
  void whatTheChainWouldNotTakeIsRefused() {
    SolanaAddress payer = Examples.PAYER.address();
    List<SolanaAddress> accounts = List.of(Examples.FEE_PAYER.address(), payer, Programs.MEMO);

    assertThat(SolanaMessage.read(message(1, 0, 1, accounts, 2, 0)).accounts()).hasSize(3);
    assertBroken(message(1, 1, 1, accounts, 2, 0), "header");
    assertBroken(message(0, 0, 1, accounts, 2, 0), "header");
    assertBroken(message(3, 0, 1, accounts, 2, 0), "header");
    assertBroken(message(1, 0, 1, List.of(payer, payer, Programs.MEMO), 2, 0), "twice");
    assertBroken(message(1, 0, 1, accounts, 0, 0), "account");
    assertBroken(message(1, 0, 1, accounts, 3, 0), "account");
    assertBroken(message(1, 0, 1, accounts, 2, 3), "account");
  }

  private static byte[] message(
      int signers,
      int readonlySigners,
      int readonlyOthers,
      List<SolanaAddress> accounts,
      int program,
      int account) {
    WireWriter out = new WireWriter().u8(SolanaMessage.VERSION_0);
    out.u8(signers).u8(readonlySigners).u8(readonlyOthers).count(accounts.size());
    accounts.forEach(one -> out.bytes(one.bytes()));
    out.bytes(new byte[32]).count(1).u8(program).array(new byte[] {(byte) account});
    return out.array(new byte[0]).count(0).toBytes();
  }

  private static void assertBroken(byte[] message, String why) {
    assertThatThrownBy(() -> SolanaMessage.read(message))
        .isInstanceOf(MalformedTransaction.class)
        .hasMessageContaining(why);
  }

  private static void assertRefused(byte[] wire) {
    assertThatThrownBy(() -> SolanaTransaction.read(wire)).isInstanceOf(MalformedTransaction.class);
  }

  private static void assertReadAsItStands(byte[] wire) {
    SolanaTransaction transaction;
    try {
      transaction = SolanaTransaction.read(wire);
    } catch (MalformedTransaction e) {
      return;
    }
    assertThat(transaction.toBytes()).isEqualTo(wire);
  }
}
