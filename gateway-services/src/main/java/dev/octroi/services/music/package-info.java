/** Music: the models that are sold, what is asked of them, and the music vendor's protocol. */
@NullMarked
package dev.octroi.services.music;

import org.jspecify.annotations.NullMarked;
