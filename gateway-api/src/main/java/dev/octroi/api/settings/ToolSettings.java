package dev.octroi.api.settings;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What is sold as tools of the Model Context Protocol, {@code gateway.mcp}. */
public record ToolSettings(
    @Setting(about = "Whether what is sold can be called as tools at `/mcp`.", value = "true")
        boolean enabled,
    @Setting(
            about =
                "Where this gateway reaches itself, without the path of the application, such as"
                    + " `http://127.0.0.1:8080`. Without it, plain HTTP at the address and port"
                    + " that the call came in at; a container that takes TLS only needs it.")
        Optional<URI> selfAddress,
    @Setting(
            about =
                "Origins of web pages that may call tools, comma-separated; pages of this machine,"
                    + " of `gateway.http.public-url` and of `gateway.http.hosts` may anyway, `*` is"
                    + " for any.")
        List<String> origins,
    @Setting(
            about =
                "Calls of tools in flight on this node. Each holds two threads of the container.",
            value = "64")
        @Min(1)
        @Max(10_000)
        int callsAtOnce,
    @Setting(
            about = "How long a tool waits for the job that its call became, telling of progress.",
            value = "2min")
        Duration jobWait,
    @Setting(about = "How often it asks for the job.", value = "2s") Duration jobPoll) {}
