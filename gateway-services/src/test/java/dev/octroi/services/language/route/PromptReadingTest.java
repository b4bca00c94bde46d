package dev.octroi.services.language.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.catalogue.Model.Caching;
import dev.octroi.services.language.route.Router.RequestTraits;
import dev.octroi.services.language.tokens.TokenCounter.Picture;
import dev.octroi.services.language.translation.Translation.Protocols;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PromptReadingTest {

  @Test
  @Tag("spec:language.tokens")
  void everythingThatAModelReadsIsCounted() {
    RequestTraits traits =
        traits(
            Dialect.MESSAGES,
            """
            {"model": "m", "max_tokens": 77, "system": [{"type": "text", "text": "SYSTEM"}],
             "thinking": {"type": "enabled", "budget_tokens": 1024},
             "tools": [{"name": "toll", "description": "TOOL", "input_schema":
               {"type": "object", "properties": {"SCHEMA": {"type": "string"}}}}],
             "messages": [
              {"role": "user", "content": [{"type": "text", "text": "FIRST"},
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
                {"type": "document", "source": {"type": "text", "media_type": "text/plain",
                  "data": "DOCUMENT"}},
                {"type": "document", "source": {"type": "base64",
                  "media_type": "application/pdf", "data": "JVBERi0x"}}]},
              {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "THOUGHT", "signature": "SEAL"},
                {"type": "tool_use", "id": "t1", "name": "toll", "input": {"a": "ARGUMENT"}}]},
              {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1",
                "content": [{"type": "text", "text": "RESULT"}]}]}]}
            """);

    assertThat(String.join(" ", traits.prompt().texts()))
        .contains("SYSTEM", "FIRST", "DOCUMENT", "THOUGHT", "SEAL", "ARGUMENT", "RESULT")
        .contains("TOOL", "SCHEMA");
    assertThat(traits.prompt().pictures()).containsExactly(Picture.UNKNOWN);
    assertThat(traits.prompt().documents()).isEqualTo(1);
    assertThat(traits.prompt().tools()).isEqualTo(1);
    assertThat(traits.prompt().turns()).isEqualTo(4);
    assertThat(traits.maxTokens()).isEqualTo(77);
    assertThat(traits.thinking()).isTrue();
  }

  @Test
  void whatIsAskedForIsInTheLastTurnThatAPersonSpoke() {
    RequestTraits traits =
        traits(
            Dialect.CHAT,
            """
            {"model": "m", "n": 3, "messages": [
              {"role": "user", "content": "prove it"},
              {"role": "assistant", "content": "int x = 1;"},
              {"role": "user", "content": "def toll(x):\\n  pass"}]}
            """);

    assertThat(traits.code()).isTrue();
    assertThat(traits.puzzle()).isFalse();
    assertThat(traits.thinking()).isFalse();
    assertThat(traits.maxTokens()).isZero();
    assertThat(traits.answers()).isEqualTo(3);
  }

  @Test
  void aPictureInTheBodyIsMeasured() {
    String gif = "R0lGODlhCgAUAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    RequestTraits traits =
        traits(
            Dialect.CHAT,
            """
            {"model": "m", "messages": [{"role": "user", "content": [
              {"type": "text", "text": "what is it"},
              {"type": "image_url", "image_url": {"url": "data:image/gif;base64,%s"}}]}]}
            """
                .formatted(gif));

    assertThat(traits.prompt().pictures()).containsExactly(new Picture(10, 20, false));
  }

  /** What a block that the gateway does not translate holds costs what it would cost outside. */
  @Test
  @Tag("spec:language.tokens")
  void whatABlockOfTheVendorsOwnHoldsIsCountedAtAnyDepth() {
    RequestTraits traits =
        traits(
            Dialect.MESSAGES,
            """
            {"model": "m", "max_tokens": 7, "messages": [{"role": "user", "content": [
              {"type": "document", "source": {"type": "content", "content": [
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
                {"type": "image", "source": {"type": "base64", "media_type": "image/gif",
                  "data": "R0lGODlhCgAUAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}},
                {"type": "text", "text": "WORDS",
                  "cache_control": {"type": "ephemeral", "ttl": "1h"}}]}},
              {"type": "document", "citations": {"enabled": true}, "context": "CONTEXT",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0x"}},
              {"type": "document", "context": "FAR",
                "source": {"type": "url", "url": "https://example.org/a.pdf"}}]}]}
            """);

    assertThat(traits.prompt().pictures())
        .containsExactly(Picture.UNKNOWN, new Picture(10, 20, false));
    assertThat(traits.prompt().documents()).isEqualTo(2);
    assertThat(String.join(" ", traits.prompt().texts()))
        .contains("WORDS", "CONTEXT", "FAR")
        .doesNotContain("JVBERi0x", "R0lGOD");
    assertThat(traits.caching()).isEqualTo(Caching.HOUR);
  }

  /** What stands beside the words proper is read with them. */
  @Test
  @Tag("spec:language.tokens")
  void titlesNamesAndDescriptionsAreCounted() {
    RequestTraits blocks =
        traits(
            Dialect.MESSAGES,
            """
            {"model": "m", "max_tokens": 7, "messages": [{"role": "user", "content": [
              {"type": "document", "title": "TITLE",
                "source": {"type": "text", "media_type": "text/plain", "data": "a"}}]}]}
            """);
    RequestTraits items =
        traits(
            Dialect.RESPONSES,
            """
            {"model": "m", "text": {"format": {"type": "json_schema", "name": "n", "schema": {},
              "description": "DESCRIPTION"}}, "input": [{"role": "user", "content": [
                {"type": "input_file", "filename": "FILE",
                  "file_data": "data:application/pdf;base64,JVBERi0x"}]}]}
            """);
    RequestTraits chat =
        traits(
            Dialect.CHAT,
            """
            {"model": "m", "messages": [{"role": "user", "name": "SPEAKER", "content": "a"},
              {"role": "assistant", "content": "b", "reasoning": "REASONING",
                "reasoning_details": [{"type": "reasoning.text", "text": "c"}]},
              {"role": "assistant", "content": "b", "reasoning_content": "THOUGHTS",
                "reasoning_details": [{"type": "reasoning.text", "text": "c"}]}]}
            """);

    assertThat(blocks.prompt().texts()).contains("TITLE");
    assertThat(items.prompt().texts()).contains("DESCRIPTION", "FILE");
    assertThat(chat.prompt().texts()).contains("SPEAKER", "REASONING", "THOUGHTS");
  }

  /** Hosts of the chat protocol summarize thoughts in details, or encrypt them there. */
  @Test
  void whatAnotherHostWritesIntoDetailsOfThoughtsIsCounted() {
    RequestTraits traits =
        traits(
            Dialect.CHAT,
            """
            {"model": "m", "messages": [{"role": "assistant", "name": "SPEAKER", "content": "b",
              "reasoning": "SUMMARY", "reasoning_details": [
                {"type": "reasoning.summary", "summary": "SUMMARY"},
                {"type": "reasoning.encrypted", "data": "ENCRYPTED"},
                {"type": "reasoning.text", "text": "TEXT", "signature": "SIGNATURE"},
                {"type": "reasoning.later", "later": {"deep": ["LATER"]}},
                "BARE"]}]}
            """);

    assertThat(traits.prompt().texts()).containsOnlyOnce("SUMMARY");
    assertThat(String.join(" ", traits.prompt().texts()))
        .contains("SPEAKER", "ENCRYPTED", "TEXT", "SIGNATURE", "LATER", "BARE");
  }

  @Test
  void aSealOfThisGatewaysCountsOnce() {
    RequestTraits traits =
        traits(
            Dialect.CHAT,
            """
            {"model": "m", "messages": [{"role": "assistant", "content": "b",
              "reasoning_details": [{"type": "reasoning.text", "text": "hm",
                "signature": "octroi.signature..c2ln"}]}]}
            """);

    assertThat(String.join(" ", traits.prompt().texts())).containsOnlyOnce("c2ln");
  }

  /** A gateway's own answer says its thoughts under both names. */
  @Test
  void thoughtsThatStandTwiceCountOnce() {
    RequestTraits traits =
        traits(
            Dialect.CHAT,
            """
            {"model": "m", "messages": [{"role": "assistant", "content": "b",
              "reasoning_content": "THOUGHTS",
              "reasoning_details": [{"type": "reasoning.text", "text": "THOUGHTS"}]}]}
            """);

    assertThat(traits.prompt().texts()).containsOnlyOnce("THOUGHTS");
  }

  private static RequestTraits traits(Dialect dialect, String body) {
    return PromptReading.of(
        Protocols.of(dialect).readPrompt(body.getBytes(StandardCharsets.UTF_8)));
  }
}
