package dev.octroi.services.voice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import dev.octroi.services.read.UpstreamJson;
import dev.octroi.services.voice.Reports.Transcripts;
import dev.octroi.services.voice.VoiceCalls.CallReport;
import dev.octroi.services.voice.VoiceCalls.CallStatus;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"queue_status":"new"}                                                          | INITIATED
          {"queue_status":"queued","completed":false}                                     | INITIATED
          {"queue_status":"a word of tomorrow"}                                           | INITIATED
          {"queue_status":"allocated"}                                                    | RINGING
          {"queue_status":"started","started_at":null}                                    | RINGING
          {"queue_status":"started","started_at":"2026-11-21T12:00:00Z"}                  | IN_PROGRESS
          {"queue_status":"started","answered_by":"human"}                                | IN_PROGRESS
          {"queue_status":"error","error_message":"x"}                                    | FAILED
          {"queue_status":"complete","status":"completed"}                                | COMPLETED
          {"completed":true,"status":"completed","answered_by":"voicemail"}               | COMPLETED
          {"completed":true,"status":"completed","answered_by":"no-answer"}               | NO_ANSWER
          {"completed":true,"status":"no-answer"}                                         | NO_ANSWER
          {"completed":true,"status":"busy"}                                              | BUSY
          {"completed":true,"status":"failed"}                                            | FAILED
          {"completed":true,"status":"canceled"}                                          | FAILED
          {"completed":true,"status":"unknown","call_length":0.5}                         | COMPLETED
          {"completed":true,"status":"unknown","call_length":0.5,"error_message":"x"}     | FAILED
          {"completed":true,"status":"unknown","call_length":0}                           | FAILED
          {"completed":true}                                                              | FAILED
          """)
  void theVendorsWordsAreTheSpecifications(String call, CallStatus status) {
    assertThat(Reports.status(tree(call))).isEqualTo(status);
  }

  @Test
  @Tag("spec:record.call.concatenated_transcript")
  void turnsStandOnLinesOfTheirOwnBehindTheirSpeakers() {
    assertThat(
            transcript(
                "{\"concatenated_transcript\":\"user: Hello? \\n assistant: Hi there!\\nHow are"
                    + " you? \\n\\n user: Fine.\"}"))
        .isEqualTo("user: Hello?\nassistant: Hi there! How are you?\nuser: Fine.");
  }

  @Test
  void whatIsSaidBeforeAnyLabelGetsOne() {
    assertThat(transcript("{\"concatenated_transcript\":\"Hello\"}")).isEqualTo("unknown: Hello");
  }

  @Test
  void turnsTakeThePlaceOfAMissingTranscript() {
    assertThat(
            transcript(
                "{\"concatenated_transcript\":null,\"transcripts\":[{\"user\":\"user\",\"text\":\"a"
                    + " \\n b\"},{\"user\":\"agent-action\",\"text\":\"hung up\"},{\"user\":"
                    + "\"assistant\",\"text\":\"c\"}]}"))
        .isEqualTo("user: a b\nassistant: c");
  }

  @Test
  void aTranscriptIsBounded() {
    String long1 = "x".repeat(Transcripts.LONGEST);
    assertThat(transcript("{\"concatenated_transcript\":\"user: " + long1 + "\"}"))
        .hasSize(Transcripts.LONGEST);
  }

  @Test
  void aTranscriptOfBlanksOrLinesTakesNoTime() {
    String blanks = " ".repeat(1_000_000);
    String lines = "a\\n".repeat(1_000_000);
    Duration generous = Duration.ofSeconds(30);
    assertThat(
            assertTimeoutPreemptively(
                generous,
                () ->
                    transcript(
                        "{\"transcripts\":[{\"user\":\"user\",\"text\":\"a" + blanks + "b\"}]}")))
        .hasSize(Transcripts.LONGEST);
    assertThat(
            assertTimeoutPreemptively(
                generous, () -> transcript("{\"concatenated_transcript\":\"" + lines + "\"}")))
        .hasSize(Transcripts.LONGEST);
  }

  @Test
  void theLengthIsMinutesAsTheVendorSpelledThem() {
    assertThat(report("{\"call_length\":0.750}").minutes()).contains(new BigDecimal("0.750"));
    assertThat(report("{\"call_length\":-1}").minutes()).isEmpty();
    assertThat(report("{\"call_length\":1e9}").minutes()).isEmpty();
    assertThat(report("{\"call_length\":\"1\"}").minutes()).isEmpty();
  }

  @Test
  void whatTheVendorDoesNotSayIsEmpty() {
    CallReport report =
        report("{\"answered_by\":null,\"recording_url\":\"\",\"call_length\":null}");
    assertThat(report).isEqualTo(CallReport.of(CallStatus.INITIATED));
  }

  private static String transcript(String call) {
    return report(call).transcript().orElseThrow();
  }

  private static CallReport report(String call) {
    return Reports.of(tree(call));
  }

  private static JsonNode tree(String json) {
    return UpstreamJson.object(json.getBytes(StandardCharsets.UTF_8));
  }
}
