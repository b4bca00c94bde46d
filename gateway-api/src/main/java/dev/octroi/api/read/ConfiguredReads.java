package dev.octroi.api.read;

import dev.octroi.api.group.ConfiguredGroup;
import dev.octroi.api.group.Group;
import dev.octroi.api.group.GroupContext;
import dev.octroi.api.group.OpenGroup;
import dev.octroi.api.group.SoldRow;
import dev.octroi.api.group.Upstream;
import dev.octroi.services.read.Read;
import dev.octroi.services.upstream.UpstreamClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A group of one vendor's reads, and of some methods beside them, as the settings have it.
 *
 * @param reads of the group
 * @param methods what it sells besides
 * @param vendor who answers; empty where it has no address
 * @param offered which of the reads the vendor answers
 * @param opening opens the group with the vendor
 */
public record ConfiguredReads<R extends Read>(
    Group group,
    List<R> reads,
    List<SoldRow> methods,
    Optional<Upstream> vendor,
    OfferedReads<R> offered,
    BiFunction<UpstreamClient, GroupContext, OpenGroup> opening)
    implements ConfiguredGroup {

  @Override
  public List<SoldRow> rows() {
    List<SoldRow> rows = new ArrayList<>(SoldRow.ofReads(group, reads));
    rows.addAll(methods);
    return rows;
  }

  @Override
  public List<Upstream> upstreams() {
    return vendor.stream().toList();
  }

  @Override
  public List<String> missing() {
    return vendor.isPresent() ? List.of() : List.of(Upstream.missing(group.word()));
  }

  @Override
  public List<String> problems() {
    return offered.problems("gateway." + group.word() + ".beyond-contract", reads);
  }

  @Override
  public boolean lists(SoldRow row) {
    return serves(row.path()) && row.read().map(offered::offers).orElse(true);
  }

  @Override
  public OpenGroup open(GroupContext context) {
    return vendor.map(one -> opening.apply(context.client(one), context)).orElseGet(OpenGroup::of);
  }
}
