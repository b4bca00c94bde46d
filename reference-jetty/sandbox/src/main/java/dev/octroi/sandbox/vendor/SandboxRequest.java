package dev.octroi.sandbox.vendor;

import dev.octroi.sandbox.contract.Call;
import java.util.List;
import java.util.Map;

/**
 * A request to a sandbox vendor.
 *
 * @param method HTTP method
 * @param path decoded path below the vendor's base address
 * @param query decoded query parameters
 * @param headers by lower-case name
 * @param body the bytes, empty where there are none
 * @param call what the contract made of it
 */
public record SandboxRequest(
    String method,
    String path,
    Map<String, List<String>> query,
    Map<String, String> headers,
    byte[] body,
    Call call) {}
