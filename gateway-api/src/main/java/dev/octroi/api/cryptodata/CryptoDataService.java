package dev.octroi.api.cryptodata;

import dev.octroi.api.read.PostedJson;
import dev.octroi.api.read.ReadService;
import dev.octroi.services.cryptodata.CryptoDataMethods;
import dev.octroi.services.cryptodata.CryptoDataRead;

/** What the group's resource works with. */
record CryptoDataService(
    ReadService<CryptoDataRead> reads, CryptoDataMethods methods, PostedJson posted) {}
