package dev.octroi.api.cryptodata;

import dev.octroi.api.read.ReadService;
import dev.octroi.payments.PricedRequest;
import dev.octroi.payments.Tariff;
import dev.octroi.payments.Usd;
import dev.octroi.services.cryptodata.CryptoDataRead;
import dev.octroi.services.read.RowMatcher;
import java.util.List;

/** The price of a crypto-data read: its row's. */
public final class CryptoDataTariff implements Tariff {

  static final RowMatcher<CryptoDataRead> ROWS = new RowMatcher<>(List.of(CryptoDataRead.values()));

  @Override
  public Usd price(PricedRequest request) {
    return ReadService.price(CryptoDataGroup.BASE, ROWS, request.path());
  }
}
