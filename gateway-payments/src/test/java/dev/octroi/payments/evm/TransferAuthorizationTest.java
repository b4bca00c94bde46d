package dev.octroi.payments.evm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.web3j.crypto.StructuredDataEncoder;

class TransferAuthorizationTest {

  private static final String MAX_UINT256 =
      "115792089237316195423570985008687907853269984665640564039457584007913129639935";

  /** The published message between two other accounts. */
  private final TransferAuthorization example =
      Examples.authorization(
          EvmAddress.parse("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"),
          EvmAddress.parse("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"));

  @Test
  @Tag("spec:x402.digest")
  void theDigestOnBaseSepoliaIsTheKnownAnswer() {
    assertThat(Hex.of(example.digest(EvmToken.BASE_SEPOLIA_USDC.domain())))
        .isEqualTo("0x0c25a654bb4802b906cbb8afdfdbc4c7a778144b400fc85ddc22f71cd75601ea");
  }

  @Test
  @Tag("spec:x402.digest")
  void theDigestOnBaseIsTheKnownAnswer() {
    assertThat(Hex.of(example.digest(EvmToken.BASE_USDC.domain())))
        .isEqualTo("0x186be082ee09af8ce8616ea6232714513983ac7729fa5df0be085512bb4e9e8d");
  }

  @Property(tries = 200)
  void anyDigestIsTheOneOfAGeneralEncoder(
      @ForAll @Size(20) byte[] from,
      @ForAll @Size(20) byte[] to,
      @ForAll @BigRange(min = "0", max = MAX_UINT256) BigInteger value,
      @ForAll @BigRange(min = "0", max = MAX_UINT256) BigInteger validBefore,
      @ForAll @Size(32) byte[] nonce,
      @ForAll @LongRange(min = 1, max = 999_999_999_999_999_999L) long chainId,
      @ForAll @StringLength(max = 20) String name)
      throws Exception {
    TransferAuthorization authorization =
        new TransferAuthorization(
            EvmAddress.parse(Hex.of(from)),
            EvmAddress.parse(Hex.of(to)),
            value,
            BigInteger.ZERO,
            validBefore,
            nonce);
    TokenDomain domain = new TokenDomain(wellFormed(name), "2", chainId, Examples.PAY_TO);

    assertThat(authorization.digest(domain))
        .isEqualTo(
            new StructuredDataEncoder(typedData(authorization, domain)).hashStructuredData());
  }

  /** Half a surrogate pair has no UTF-8. */
  private static String wellFormed(String name) {
    return name.codePoints()
        .filter(c -> !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE))
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static String typedData(TransferAuthorization authorization, TokenDomain domain)
      throws JsonProcessingException {
    Map<String, Object> types =
        Map.of(
            "EIP712Domain",
            members("string name,string version,uint256 chainId,address verifyingContract"),
            "TransferWithAuthorization",
            members(
                "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,"
                    + "bytes32 nonce"));
    Map<String, Object> message =
        Map.of(
            "from", authorization.from().toString(),
            "to", authorization.to().toString(),
            "value", authorization.value().toString(),
            "validAfter", authorization.validAfter().toString(),
            "validBefore", authorization.validBefore().toString(),
            "nonce", authorization.nonceHex());
    Map<String, Object> separator =
        Map.of(
            "name", domain.name(),
            "version", domain.version(),
            "chainId", domain.chainId(),
            "verifyingContract", domain.token().toString());
    return Examples.JSON.writeValueAsString(
        Map.of(
            "types",
            types,
            "primaryType",
            "TransferWithAuthorization",
            "domain",
            separator,
            "message",
            message));
  }

  private static List<Map<String, String>> members(String declaration) {
    return List.of(declaration.split(",")).stream()
        .map(member -> member.split(" "))
        .map(words -> Map.of("type", words[0], "name", words[1]))
        .toList();
  }
}
