/** Phone numbers: what they are, who tells about them, and who leases them out. */
@NullMarked
package dev.octroi.services.phone;

import org.jspecify.annotations.NullMarked;
