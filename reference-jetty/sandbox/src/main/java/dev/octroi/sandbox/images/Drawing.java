package dev.octroi.sandbox.images;

import java.util.List;
import java.util.Optional;

/**
 * An order under way: its pictures are decoded.
 *
 * @param original what is changed; empty for a picture of its own
 * @param mask where; empty for everywhere
 */
record Drawing(Order order, Optional<Picture> original, Optional<Picture> mask) {

  /** The first picture is changed; the others are only looked at. */
  private static final int SMALL = 16;

  /** Decodes what the order brought, or throws {@link Refused}. */
  static Drawing of(Order order) {
    List<Given> given = order.originals();
    given.stream().skip(1).forEach(other -> other.decoded(SMALL, SMALL));
    int width = order.form().width();
    int height = order.form().height();
    return new Drawing(
        order,
        given.stream().findFirst().map(one -> one.decoded(width, height)),
        order.mask().map(hole -> hole.decoded(width, height)));
  }

  /** One of the pictures. */
  Picture picture(int number) {
    Order.Form form = order.form();
    Picture painted =
        new Painter(order.prompt(), number)
            .paint(form.width(), form.height(), form.transparent() && original.isEmpty());
    if (original.isEmpty()) {
      return painted;
    }
    return mask.map(hole -> Retouch.through(hole, original.get(), painted))
        .orElseGet(() -> Retouch.all(original.get(), painted, form.faithful()));
  }

  /** One of the pictures as bytes. */
  byte[] bytes(int number) {
    return order.form().format().write(picture(number), order.form().compression());
  }
}
