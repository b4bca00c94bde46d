/** Music over HTTP: a track a call, held open until it is made. */
@NullMarked
package dev.octroi.api.music;

import org.jspecify.annotations.NullMarked;
