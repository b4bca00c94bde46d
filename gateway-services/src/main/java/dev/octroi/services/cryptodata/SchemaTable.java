package dev.octroi.services.cryptodata;

import java.util.List;

/**
 * A table that can be queried.
 *
 * @param source its qualified name, as a query's source
 * @param columns their names in order
 */
public record SchemaTable(String source, List<String> columns) {}
