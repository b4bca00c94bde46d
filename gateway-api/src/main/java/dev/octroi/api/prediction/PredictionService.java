package dev.octroi.api.prediction;

import dev.octroi.api.read.PostedJson;
import dev.octroi.api.read.ReadService;
import dev.octroi.services.prediction.PredictionMethods;
import dev.octroi.services.prediction.PredictionRead;

/** What the group's resource works with. */
record PredictionService(
    ReadService<PredictionRead> reads, PredictionMethods methods, PostedJson posted) {}
