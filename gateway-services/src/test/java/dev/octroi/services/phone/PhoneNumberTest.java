package dev.octroi.services.phone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.octroi.services.ErrorCode;
import dev.octroi.services.Failure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhoneNumberTest {

  @ParameterizedTest
  @CsvSource({
    "+14159929960, US",
    "+16045550123, CA",
    "+447772000001, GB",
    "+4930123456, DE",
    "+80012345678, 001"
  })
  void aNumberOfAPlanIsValidAndHasARegion(String text, String region) {
    assertThat(PhoneNumber.of("phoneNumber", text).region()).isEqualTo(region);
  }

  @ParameterizedTest
  @Tag("spec:limit.phone_format")
  @Tag("spec:error.phone.invalid_phone_number")
  @ValueSource(
      strings = {
        "",
        "4159929960",
        "14159929960",
        "+1 415 992 9960",
        "+1-415-992-9960",
        "+0123456789",
        "+1415992",
        "+14159929960123456",
        "+99912345678",
        "+15555555555",
        "+1911",
        "+44999",
        "tel:+14159929960",
        "+1415992996\u0660"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> PhoneNumber.of("to", text))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PHONE_NUMBER))
        .hasMessageStartingWith("to is ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"+19002345678", "+449098790000", "+491801234567", "+979123456789"})
  void premiumNumbersAreKnown(String text) {
    assertThat(PhoneNumber.of("to", text).isEmergencyOrPremium()).isTrue();
  }

  @Test
  void commonNumbersMayBeCalled() {
    assertThat(PhoneNumber.of("to", "+14159929960").isEmergencyOrPremium()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "+14159929960, true, US",
    "+18002345678, true, US",
    "+447772000001, true, GB",
    "+18092345678, true, DO",
    "+19002345678, false, US",
    "+15332345678, false, US",
    "+447024000001, false, GB",
    "+881612345678, true, 001",
    "+870773111632, true, 001",
    "+979123456789, false, 001"
  })
  void callsToCommonNumbersCostWhatTheirCountrysDo(String text, boolean common, String region) {
    PhoneNumber number = PhoneNumber.of("to", text);
    assertThat(number.isCommon()).isEqualTo(common);
    assertThat(number.region()).isEqualTo(region);
  }
}
