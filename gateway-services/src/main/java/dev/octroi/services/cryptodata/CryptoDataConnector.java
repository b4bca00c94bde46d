package dev.octroi.services.cryptodata;

import dev.octroi.services.Answer;
import dev.octroi.services.read.Arguments;
import dev.octroi.services.read.Connector;
import dev.octroi.services.read.Read;
import dev.octroi.services.read.UpstreamTarget;
import dev.octroi.services.upstream.UpstreamAnswer;

/**
 * The crypto-data vendor: answers {@code {data, meta}}, errors {@code {error: {code, message}}}.
 * Immutable.
 *
 * @param statedRecords whether the records that the specification states are made; otherwise every
 *     body passes as it is
 */
public record CryptoDataConnector(boolean statedRecords) implements Connector {

  @Override
  public UpstreamTarget target(Read row, Arguments arguments) {
    return VendorTargets.of((CryptoDataRead) row, arguments);
  }

  @Override
  public Answer success(Read row, Arguments arguments, UpstreamAnswer upstream) {
    CryptoDataRead read = (CryptoDataRead) row;
    if (EmptyAnswers.meansUnknown(read, arguments, upstream)) {
      throw VendorErrors.unknown();
    }
    if (!statedRecords) {
      return Answer.json(upstream.status(), upstream.body());
    }
    return Answer.json(upstream.status(), StatedRecords.of(read).map(arguments, upstream));
  }

  @Override
  public Answer error(Read row, Arguments arguments, UpstreamAnswer upstream) {
    throw VendorErrors.ofRead(upstream);
  }
}
