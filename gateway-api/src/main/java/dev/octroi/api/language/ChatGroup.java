package dev.octroi.api.language;

import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.ConfiguredGroup.GroupLimits;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.settings.GatewaySettings;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** The same models in two more protocols, and the catalogue of all of them. */
public final class ChatGroup extends BuiltInGroup {

  private static final String MODELS = "/v1/models";

  public ChatGroup() {
    super(
        new Profile(
            "chat",
            "Chat completions and responses",
            "The same models in two more protocols, and the catalogue of all of them.",
            ErrorShape.RELAY,
            List.of("/v1/chat", Dialects.RESPONSES, MODELS),
            Dialects.CODES),
        ChatResource.class,
        ResponsesResource.class,
        ModelsResource.class);
  }

  @Override
  public Map<String, String> freePaths() {
    return Map.of(MODELS, "Models, routes and their prices");
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Configured(this, settings);
  }

  private record Configured(Group group, GatewaySettings settings) implements ConfiguredGroup {

    @Override
    public List<SoldRow> rows() {
      return List.of(
          SoldRow.counted(group, Dialects.CHAT), SoldRow.counted(group, Dialects.RESPONSES));
    }

    @Override
    public List<String> missing() {
      return Dialects.missing(settings);
    }

    @Override
    public GroupLimits limits() {
      return Dialects.limits(settings, group);
    }

    /** The group of messages opens the models and what serves them. */
    @Override
    public OpenGroup open(GroupContext context) {
      return OpenGroup.of();
    }
  }
}
