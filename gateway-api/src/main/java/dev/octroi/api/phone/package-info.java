/** Phone numbers over HTTP, and the leases that outlive the calls which bought them. */
@NullMarked
package dev.octroi.api.phone;

import org.jspecify.annotations.NullMarked;
