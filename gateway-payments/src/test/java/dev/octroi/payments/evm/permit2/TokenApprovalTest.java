package dev.octroi.payments.evm.permit2;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.octroi.payments.client.PaymentSigner;
import dev.octroi.payments.client.Wallet;
import dev.octroi.payments.evm.Hex;
import dev.octroi.payments.evm.permit2.TokenApproval.Brought;
import dev.octroi.payments.x402.PaymentOption;
import dev.octroi.payments.x402.PaymentPayload;
import dev.octroi.payments.x402.PaymentRequirements;
import java.math.BigInteger;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.web3j.abi.FunctionEncoder;
import org.web3j.abi.datatypes.Address;
import org.web3j.abi.datatypes.Function;
import org.web3j.abi.datatypes.generated.Uint256;
import org.web3j.crypto.AccessListObject;
import org.web3j.crypto.Credentials;
import org.web3j.crypto.RawTransaction;
import org.web3j.crypto.TransactionEncoder;

class TokenApprovalTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long CHAIN = 8453;
  private static final String TOKEN = "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb";
  private static final String STRANGER = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  private static final String KEY = "11".repeat(32);
  private static final BigInteger MOST = BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE);
  private static final BigInteger GAS = BigInteger.valueOf(70_000);
  private static final BigInteger GWEI = BigInteger.valueOf(1_000_000_000);

  private final Wallet payer = Wallet.fromHex(KEY);

  private static PaymentRequirements terms(Map<String, Object> more) {
    Map<String, Object> extra = new HashMap<>(more);
    extra.put(PaymentOption.TRANSFER_METHOD, Permit2.METHOD);
    return new PaymentRequirements(
        "exact", "eip155:" + CHAIN, "1000", TOKEN, STRANGER, 300, extra, 18);
  }

  private static String approve(String spender, BigInteger amount) {
    return FunctionEncoder.encode(
        new Function("approve", List.of(new Address(spender), new Uint256(amount)), List.of()));
  }

  private static RawTransaction transaction(long chain, String to, BigInteger value, String data) {
    return RawTransaction.createTransaction(
        chain, BigInteger.ZERO, GAS, to, value, data, BigInteger.ONE, GWEI);
  }

  private static String signed(RawTransaction transaction, String key) {
    return Hex.of(TransactionEncoder.signMessage(transaction, Credentials.create(key)));
  }

  private static String good() {
    return signed(
        transaction(CHAIN, TOKEN, BigInteger.ZERO, approve(Permit2.ADDRESS.toString(), MOST)), KEY);
  }

  private ObjectNode info(String transaction) {
    return JSON.createObjectNode()
        .put(
            "description",
            "The facilitator broadcasts a pre-signed ERC-20 approve() transaction to grant Permit2"
                + " allowance.")
        .put("version", "1")
        .put("from", payer.address().toString())
        .put("asset", TOKEN)
        .put("spender", Permit2.ADDRESS.toString())
        .put("amount", MOST.toString())
        .put("signedTransaction", transaction);
  }

  private Brought brought(ObjectNode info, PaymentRequirements terms) {
    Map<String, Object> signed = new PaymentSigner(payer, Clock.systemUTC()).payload(terms);
    ObjectNode extensions = JSON.createObjectNode();
    extensions.putObject("erc20ApprovalGasSponsoring").set("info", info);
    PaymentPayload payment =
        new PaymentPayload(
            2,
            null,
            null,
            "exact",
            terms.network(),
            JSON.valueToTree(signed),
            extensions,
            new byte[0]);
    return Brought.of(payment, terms, SignedPermit.read(payment.payload()).permit());
  }

  private String broken(ObjectNode info) {
    Brought brought = brought(info, terms(Map.of()));
    assertThat(brought.approval()).isEmpty();
    return String.valueOf(brought.broken());
  }

  private String brokenBy(String transaction) {
    return broken(info(transaction));
  }

  @Test
  void whatThePublishedClientSignsIsReadToTheUnit() {
    Brought brought = brought(info(good()), terms(Map.of()));

    assertThat(brought.broken()).isNull();
    TokenApproval approval = brought.approval().orElseThrow();
    assertThat(approval.amount()).isEqualTo(MOST);
    assertThat(approval.nonce()).isZero();
    assertThat(approval.cost()).isEqualTo(GAS.multiply(GWEI));
    assertThat(Hex.of(approval.raw())).isEqualTo(good());
  }

  @Test
  void aTokenWithPermitsOfItsOwnAndAClientThatAddsNothingBringNone() {
    assertThat(brought(info(good()), terms(Map.of("name", "Plain", "version", "1"))))
        .isEqualTo(new Brought(Optional.empty(), null));
    assertThat(brought(JSON.createObjectNode().put("version", "1"), terms(Map.of())))
        .isEqualTo(new Brought(Optional.empty(), null));
  }

  @ParameterizedTest
  @CsvSource({
    "description,another,extension_echo_mismatch",
    "version,2,extension_echo_mismatch",
    "from,0x11,invalid_erc20_approval_extension_format",
    "amount,0x11,invalid_erc20_approval_extension_format",
    "signedTransaction,hex,invalid_erc20_approval_extension_format",
    "from,0x209693Bc6afc0C5328bA36FaF03C514EF312287C,erc20_approval_from_mismatch",
    "asset,0x209693Bc6afc0C5328bA36FaF03C514EF312287C,erc20_approval_asset_mismatch",
    "spender,0x209693Bc6afc0C5328bA36FaF03C514EF312287C,erc20_approval_spender_not_permit2",
    "signedTransaction,0x02,erc20_approval_tx_parse_failed",
    "signedTransaction,0x,erc20_approval_tx_parse_failed",
    "amount,1000,erc20_approval_tx_amount_mismatch"
  })
  void whatIsSaidOfAnApprovalMustBeSo(String member, String value, String reason) {
    assertThat(broken(info(good()).put(member, value))).isEqualTo(reason);
  }

  @Test
  void theTransactionMustApproveThatAndDoNothingElse() {
    String permit2 = Permit2.ADDRESS.toString();
    BigInteger none = BigInteger.ZERO;

    assertThat(brokenBy(signed(transaction(CHAIN, STRANGER, none, approve(permit2, MOST)), KEY)))
        .isEqualTo("erc20_approval_tx_wrong_target");
    assertThat(
            brokenBy(signed(transaction(CHAIN, TOKEN, none, "0xa9059cbb" + "00".repeat(64)), KEY)))
        .isEqualTo("erc20_approval_tx_wrong_selector");
    assertThat(brokenBy(signed(transaction(CHAIN, TOKEN, none, ""), KEY)))
        .isEqualTo("erc20_approval_tx_wrong_selector");
    assertThat(
            brokenBy(signed(transaction(CHAIN, TOKEN, none, approve(permit2, MOST) + "00"), KEY)))
        .isEqualTo("erc20_approval_tx_invalid_calldata");
    assertThat(
            brokenBy(
                signed(transaction(CHAIN, TOKEN, BigInteger.ONE, approve(permit2, MOST)), KEY)))
        .as("a value would have to be given too")
        .isEqualTo("erc20_approval_tx_invalid_calldata");
    assertThat(brokenBy(signed(transaction(CHAIN, TOKEN, none, approve(STRANGER, MOST)), KEY)))
        .isEqualTo("erc20_approval_tx_wrong_spender");
    assertThat(
            broken(
                info(signed(
                        transaction(CHAIN, TOKEN, none, approve(permit2, BigInteger.valueOf(999))),
                        KEY))
                    .put("amount", "999")))
        .as("less than the payment")
        .isEqualTo("erc20_approval_tx_amount_mismatch");
    assertThat(
            brokenBy(
                signed(transaction(CHAIN, TOKEN, none, approve(permit2, MOST)), "22".repeat(32))))
        .isEqualTo("erc20_approval_tx_signer_mismatch");
    assertThat(brokenBy(signed(transaction(1, TOKEN, none, approve(permit2, MOST)), KEY)))
        .isEqualTo("erc20_approval_tx_wrong_chain");
  }

  @Test
  void aSpellingThatNodesRefuseIsNotPaidFor() {
    String data = approve(Permit2.ADDRESS.toString(), MOST);
    byte[] raw = Hex.parse(good());
    RawTransaction legacy =
        RawTransaction.createTransaction(BigInteger.ZERO, GWEI, GAS, TOKEN, BigInteger.ZERO, data);
    RawTransaction listing =
        RawTransaction.createTransaction(
            CHAIN,
            BigInteger.ZERO,
            GAS,
            TOKEN,
            BigInteger.ZERO,
            data,
            BigInteger.ONE,
            GWEI,
            List.of(new AccessListObject(TOKEN, List.of("0x" + "00".repeat(32)))));
    RawTransaction upsideDown =
        RawTransaction.createTransaction(
            CHAIN, BigInteger.ZERO, GAS, TOKEN, BigInteger.ZERO, data, GWEI, BigInteger.ONE);
    byte[] high = raw.clone();
    high[high.length - 32] |= (byte) 0x80;

    for (String refused :
        List.of(
            good() + "00",
            Hex.of(Arrays.copyOf(raw, raw.length - 1)),
            signed(legacy, KEY),
            signed(listing, KEY),
            signed(upsideDown, KEY),
            "0x03" + good().substring(4))) {
      assertThat(brokenBy(refused)).as(refused).isEqualTo("erc20_approval_tx_parse_failed");
    }
    assertThat(brokenBy(Hex.of(high))).isEqualTo("erc20_approval_tx_invalid_signature");
  }
}
