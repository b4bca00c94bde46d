package dev.octroi.api.language;

import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.ErrorShape;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.GroupLimits;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.services.ErrorCode;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** The same models in two more protocols, and the catalogue of all of them. */
public final class ChatGroup implements Group {

  private static final String MODELS = "/v1/models";

  @Override
  public String word() {
    return "chat";
  }

  @Override
  public String title() {
    return "Chat completions and responses";
  }

  @Override
  public String about() {
    return "The same models in two more protocols, and the catalogue of all of them.";
  }

  @Override
  public ErrorShape errors() {
    return ErrorShape.RELAY;
  }

  @Override
  public List<String> bases() {
    return List.of("/v1/chat", Dialects.RESPONSES, MODELS);
  }

  @Override
  public List<ErrorCode> codes() {
    return Dialects.CODES;
  }

  @Override
  public Map<String, String> freePaths() {
    return Map.of(MODELS, "Language models and their rates");
  }

  @Override
  public List<Class<?>> resources() {
    return List.of(ChatResource.class, ResponsesResource.class, ModelsResource.class);
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
    public boolean serves(String path) {
      return missing().isEmpty();
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
