package dev.octroi.payments.solana;

import dev.octroi.payments.solana.SolanaMessage.MessageInstruction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes on the chain: they tell two payments of one amount apart, or name what was paid for. */
final class Memos {

  private Memos() {}

  /** The reason why the memos are not what the offer asks for; null if they are. */
  static @Nullable String broken(SolanaMessage message, @Nullable String asked) {
    if (asked == null) {
      return null;
    }
    List<byte[]> memos =
        message.instructions().stream()
            .filter(instruction -> message.program(instruction).equals(Programs.MEMO))
            .map(MessageInstruction::data)
            .toList();
    if (memos.size() != 1) {
      return "invalid_exact_svm_payload_memo_count";
    }
    return Arrays.equals(memos.get(0), asked.getBytes(StandardCharsets.UTF_8))
        ? null
        : "invalid_exact_svm_payload_memo_mismatch";
  }

  static Instruction of(String text) {
    return new Instruction(Programs.MEMO, text.getBytes(StandardCharsets.UTF_8));
  }
}
