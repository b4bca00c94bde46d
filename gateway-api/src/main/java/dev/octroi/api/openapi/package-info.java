/**
 * The gateway's own description for machines (OpenAPI 3.1), made from the rows and the resources.
 */
@NullMarked
package dev.octroi.api.openapi;

import org.jspecify.annotations.NullMarked;
