package dev.octroi.services.phone;

import dev.octroi.services.Deadline;
import dev.octroi.services.VendorRefusal;
import java.time.Instant;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** The vendor that sends text messages. Thread-safe. */
public interface TextMessages {

  /**
   * Throws where calls of the vendor are known to fail now.
   *
   * @throws dev.octroi.services.Failure 503
   */
  void requireReachable();

  /** Tries to send a message, once. */
  Sending send(TextMessage message, Deadline deadline);

  /**
   * The messages with this text between these numbers that were taken since.
   *
   * @throws dev.octroi.services.Failure 502, 503; also where there are too many to look through
   */
  List<Sending.Sent> sent(TextMessage message, Instant since, Deadline deadline);

  /** How the attempt to send a message ended. */
  sealed interface Sending {

    /**
     * The vendor has taken it.
     *
     * @param reference the vendor's id of it
     * @param status the vendor's word for what it does with it, such as {@code queued}
     */
    record Sent(String reference, String status) implements Sending {}

    /** It certainly will not be sent. */
    record Refused(VendorRefusal why) implements Sending {}

    /** Not known whether the vendor took it: ask for what was sent. */
    record Unknown() implements Sending {}
  }

  /**
   * A text message.
   *
   * @param body 1 to 1,600 characters, what the vendor takes as one message
   */
  record TextMessage(PhoneNumber from, PhoneNumber to, String body) {

    public static final int LONGEST = 1_600;

    /** The alphabet of GSM-7 (3GPP TS 23.038), without its escape. */
    private static final String GSM =
        "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
            + "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

    /** What stands behind its escape, and so takes two places. */
    private static final String GSM_ESCAPED = "\f^{}\\[~]|€";

    private static final int GSM_ALONE = 160;
    private static final int GSM_OF_SEVERAL = 153;
    private static final int UCS2_ALONE = 70;
    private static final int UCS2_OF_SEVERAL = 67;

    /** How many parts it is sent and billed in. No character is cut in two. */
    public int parts() {
      boolean gsm = body.chars().allMatch(one -> (GSM + GSM_ESCAPED).indexOf(one) >= 0);
      IntUnaryOperator places = gsm ? one -> GSM.indexOf(one) < 0 ? 2 : 1 : Character::charCount;
      if (body.codePoints().map(places).sum() <= (gsm ? GSM_ALONE : UCS2_ALONE)) {
        return 1;
      }
      int most = gsm ? GSM_OF_SEVERAL : UCS2_OF_SEVERAL;
      int parts = 1;
      int used = 0;
      for (int taken : body.codePoints().map(places).toArray()) {
        parts += used + taken > most ? 1 : 0;
        used = used + taken > most ? taken : used + taken;
      }
      return parts;
    }
  }
}
