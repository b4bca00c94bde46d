package dev.octroi.api.language;

import dev.octroi.api.group.BuiltInGroup;
import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.Group.ErrorShape;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.api.settings.GatewaySettings;
import dev.octroi.services.ErrorCode;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** A summary of what the web says, written by a language model from what a search vendor finds. */
public final class SmartSearchGroup extends BuiltInGroup {

  static final String BASE = "/v1/search";

  public SmartSearchGroup() {
    super(
        new Profile(
            "smartsearch",
            "Smart search",
            "A written summary with numbered citations.",
            ErrorShape.NESTED,
            List.of(BASE),
            List.of(ErrorCode.QUERY_TOO_LONG, ErrorCode.MODEL_NOT_FOUND, ErrorCode.NOT_FOUND)),
        SmartSearchResource.class);
  }

  @Override
  public ConfiguredGroup configured(GatewaySettings settings, Clock clock) {
    return new Configured(this, settings);
  }

  private record Configured(Group group, GatewaySettings settings) implements ConfiguredGroup {

    @Override
    public List<SoldRow> rows() {
      return List.of(SoldRow.post(group, "", settings.prices().smartSearch().dollars()));
    }

    @Override
    public List<String> missing() {
      List<String> missing = new ArrayList<>();
      if (settings.upstream().websearch().baseAddress().isEmpty()) {
        missing.add(Upstream.missing("websearch"));
      }
      missing.addAll(Dialects.missing(settings));
      return missing;
    }

    /** The group of messages opens the models and what serves them. */
    @Override
    public OpenGroup open(GroupContext context) {
      return OpenGroup.of();
    }
  }
}
