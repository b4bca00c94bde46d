package dev.octroi.payments.x402;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.payments.x402.FacilitatorMessages.VerifyResponse;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("spec:x402.facilitator.verify")
class StatedChannelTest {

  private static final String ID = "0x" + "ab".repeat(32);
  private static final StatedChannel STATED =
      new StatedChannel(
          ID, BigInteger.TEN, BigInteger.ONE, 1_800_000_000L, BigInteger.ONE.shiftLeft(255));

  @Test
  void whatAFacilitatorStatesIsReadAsItWasWritten() {
    VerifyResponse verified = new VerifyResponse(true, null, "0x01", STATED);
    SettlementResponse settled =
        SettlementResponse.settled("0x02", "eip155:8453", "0x01", "10")
            .extra(Map.of(StatedChannel.MEMBER, STATED));

    assertThat(FacilitatorMessages.readVerification(FacilitatorMessages.answer(verified)))
        .isEqualTo(verified);
    assertThat(FacilitatorMessages.readSettlement(FacilitatorMessages.answer(settled)).extra())
        .isEqualTo(settled.extra());
  }

  @Test
  void numbersAreReadAsNumbersToo() {
    assertThat(
            extra(
                "{'channelId':'x','balance':10,'totalClaimed':'1',"
                    + "'withdrawRequestedAt':'0','refundNonce':2}"))
        .isEqualTo(new StatedChannel("x", BigInteger.TEN, BigInteger.ONE, 0, BigInteger.TWO));
  }

  /** An answer is as good without it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "7",
        "{}",
        "{'channelId':7}",
        "{'channelId':'x','balance':'10','totalClaimed':'1','withdrawRequestedAt':0}",
        "{'channelId':'x','balance':'-1','totalClaimed':'1','withdrawRequestedAt':0,'refundNonce':0}",
        "{'channelId':'x','balance':{},'totalClaimed':'1','withdrawRequestedAt':0,'refundNonce':0}"
      })
  void whatCannotBeReadIsLeftOut(String extra) {
    assertThat(extra(extra)).isNull();
  }

  private static @Nullable StatedChannel extra(String extra) {
    String body = ("{'isValid':true,'extra':" + extra + "}").replace('\'', '"');
    VerifyResponse read =
        FacilitatorMessages.readVerification(body.getBytes(StandardCharsets.UTF_8));
    assertThat(read.valid()).isTrue();
    return read.extra();
  }
}
