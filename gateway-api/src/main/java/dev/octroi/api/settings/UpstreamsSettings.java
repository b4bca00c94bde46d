package dev.octroi.api.settings;

/** The vendors that answer the reads, {@code gateway.upstream}. */
public record UpstreamsSettings(
    @Setting(about = "The crypto-data vendor.") VendorSettings cryptodata,
    @Setting(about = "The prediction-market vendor.") VendorSettings prediction) {}
