package dev.octroi.api.setup;

import dev.octroi.api.cryptodata.CryptoDataGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.image.ImageGroup;
import dev.octroi.api.language.ChatGroup;
import dev.octroi.api.language.MessagesGroup;
import dev.octroi.api.language.SmartSearchGroup;
import dev.octroi.api.music.MusicGroup;
import dev.octroi.api.phone.PhoneGroup;
import dev.octroi.api.prediction.PredictionGroup;
import dev.octroi.api.voice.VoiceGroup;
import dev.octroi.api.websearch.WebSearchGroup;
import java.util.List;

/** The groups that every gateway has: a line each, in the order in which they are listed. */
public final class BuiltInGroups {

  public static final List<Group> ALL =
      List.of(
          new CryptoDataGroup(),
          new PredictionGroup(),
          new PhoneGroup(),
          new VoiceGroup(),
          new WebSearchGroup(),
          new SmartSearchGroup(),
          new MessagesGroup(),
          new ChatGroup(),
          new MusicGroup(),
          new ImageGroup());

  private BuiltInGroups() {}
}
