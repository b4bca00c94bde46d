package dev.octroi.api.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.api.path.PathRules.EncodedSlash;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncodedSlashTest {

  @ParameterizedTest
  @CsvSource({
    "/v1/models/openai%2Fgpt-5.4-mini, /v1/models/openai/gpt-5.4-mini",
    "/api/v1/models/openai%2fgpt-5.4-mini, /api/v1/models/openai/gpt-5.4-mini"
  })
  void theSlashInAModelsNameIsOne(String path, String plain) {
    assertThat(EncodedSlash.plain(path)).isEqualTo(plain);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/models/openai/gpt-5",
        "/v1/models%2Fopenai/gpt-5",
        "/v1%2Fmodels/openai",
        "/v1/models/a%2Fb%2Fc",
        "/v1/models/a%2Fb/c",
        "/v1/models/a/b%2Fc",
        "/v1/models/%2Fa",
        "/v1/models/a%2F",
        "/v1/models/a%252Fb",
        "/v1/models/..%2Fmessages",
        "/v1/models/a%2F..",
        "/v1/models/a%2F%2e%2e",
        "/v1/models/a%2Fb;c",
        "/v1/models/a%2Fb%5Cc",
        "/V1/models/a%2Fb",
        "//v1/models/a%2Fb",
        "/x/v1/models/a%2Fb",
        "/v1/messages%2Fa",
        "/v1/marketplace/cryptodata/market%2Fetf"
      })
  void everyOtherPathStaysAsItIsAndIsJudgedSo(String path) {
    assertThat(EncodedSlash.plain(path)).isEqualTo(path);
  }
}
