package dev.octroi.api.settings;

import dev.octroi.payments.Usd;

/** Sandbox money, {@code gateway.sandbox}. */
public record SandboxSettings(
    @Setting(about = "Dollars that a payer seen for the first time has.", value = "1000")
        Usd startingBalance,
    @Setting(
            about =
                "Serves real upstreams, or a public address, for worthless money. Anybody can then"
                    + " spend your vendors' credit without paying.",
            value = "false")
        boolean allowLiveUpstreamsOrPublicAddressWithWorthlessMoney) {}
