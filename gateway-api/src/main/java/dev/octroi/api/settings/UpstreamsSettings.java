package dev.octroi.api.settings;

/** The vendors that answer the reads, {@code gateway.upstream}. */
public record UpstreamsSettings(
    @Setting(about = "The crypto-data vendor.") VendorSettings cryptodata,
    @Setting(about = "The prediction-market vendor.") VendorSettings prediction,
    @Setting(
            about =
                "The search vendor. Without its address, web search has nothing but the contents of"
                    + " pages, which the gateway then fetches itself.")
        VendorSettings websearch,
    @Setting(
            about =
                "The vendor that looks phone numbers up; its credential is `account:secret`. Without"
                    + " its address nothing is looked up.")
        VendorSettings lookup,
    @Setting(
            about =
                "The vendor that leases phone numbers and sends texts; its credential is"
                    + " `account:secret`. Without its address no numbers are leased.")
        VendorSettings phone,
    @Setting(
            about =
                "The vendor that places calls. Without its address, or without numbers to call"
                    + " from, no calls are placed.")
        VendorSettings voice) {}
