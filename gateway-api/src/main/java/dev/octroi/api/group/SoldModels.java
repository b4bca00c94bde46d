package dev.octroi.api.group;

import dev.octroi.services.upstream.VendorModels;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * What is sold of the models of one upstream.
 *
 * @param form how its vendor is asked for a list of its models
 * @param models those that are not retired yet
 */
public record SoldModels(Upstream upstream, VendorModels.Form form, List<SoldModel> models) {

  public SoldModels {
    models = List.copyOf(models);
  }

  /**
   * One model.
   *
   * @param id what the gateway's callers name it
   * @param name what its vendor names it
   * @param retired the day from which on it is refused; empty for one that stays
   */
  public record SoldModel(String id, String name, Optional<LocalDate> retired) {}
}
