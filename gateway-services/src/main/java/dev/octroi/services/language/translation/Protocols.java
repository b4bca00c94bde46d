package dev.octroi.services.language.translation;

import dev.octroi.services.language.Dialect;
import dev.octroi.services.language.Protocol;
import dev.octroi.services.language.chat.ChatProtocol;
import dev.octroi.services.language.messages.MessagesProtocol;
import dev.octroi.services.language.responses.ResponsesProtocol;

/** The protocols that the gateway speaks. */
public final class Protocols {

  private static final Protocol MESSAGES = new MessagesProtocol();
  private static final Protocol CHAT = new ChatProtocol();
  private static final Protocol RESPONSES = new ResponsesProtocol();

  private Protocols() {}

  public static Protocol of(Dialect dialect) {
    return switch (dialect) {
      case MESSAGES -> MESSAGES;
      case CHAT -> CHAT;
      case RESPONSES -> RESPONSES;
    };
  }
}
