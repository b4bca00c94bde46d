package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;

/** The ledger's database, {@code gateway.database}. */
public record DatabaseSettings(
    @Setting(
            about =
                "JDBC address, H2 or PostgreSQL. H2 loses acknowledged commits without"
                    + " `WRITE_DELAY=0`.",
            value = "jdbc:h2:async:./octroi-data/octroi;WRITE_DELAY=0")
        @NotBlank
        String url,
    @Setting(about = "User name.", value = "octroi") String user,
    @Setting(about = "Password.") Secret password,
    @Setting(about = "Connections kept at most.", value = "8") @Min(2) @Max(200) int poolSize,
    @Setting(about = "How long to wait for a connection.", value = "5s")
        Duration connectionTimeout) {}
