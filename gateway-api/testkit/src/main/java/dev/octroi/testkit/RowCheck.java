package dev.octroi.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an answer must mean, beyond its shape. */
sealed interface RowCheck {

  /** Fails the test if it does not hold; makes further paid calls where it needs them. */
  void holds(Sold sold);

  /**
   * A parameter is honoured: with another value, the answer differs at this place.
   *
   * @param becomes what then stands there; null for anything else than before
   */
  record Changes(String parameter, JsonNode value, String at, @Nullable String becomes)
      implements RowCheck {

    @Override
    public void holds(Sold sold) {
      JsonNode first = sold.answer().at(at);
      JsonNode second = sold.again(parameter, value).at(at);
      assertThat(first.isMissingNode() || second.isMissingNode()).as(at + " is there").isFalse();
      assertThat(second).as(at).isNotEqualTo(first);
      if (becomes != null) {
        assertThat(second.asText()).as(at).isEqualTo(becomes);
      }
    }
  }

  /** What does not exist is 404 with this code, and costs nothing. */
  record Unknown(String parameter, JsonNode value, String code) implements RowCheck {

    @Override
    public void holds(Sold sold) {
      Reply reply = sold.askedFreely(parameter, value);
      assertThat(reply.status()).as(reply.toString()).isEqualTo(404);
      assertThat(reply.code()).as(reply.toString()).isEqualTo(code);
      assertThat(reply.message()).isNotBlank();
    }
  }

  /**
   * Pages move: the second page of two shows nothing of the first.
   *
   * @param by the parameter that moves on
   * @param cursor where the answer tells its value; null where it is a count of items
   */
  record Pages(String items, String by, @Nullable String cursor) implements RowCheck {

    @Override
    public void holds(Sold sold) {
      JsonNode two = RowChecks.text("2");
      JsonNode first = sold.again("limit", two);
      JsonNode next = cursor == null ? two : first.at(cursor);
      ObjectNode moved = sold.arguments();
      moved.set("limit", two);
      moved.set(by, RowChecks.text(next.asText()));
      JsonNode second = sold.again(moved);
      assertThat(first.at(items)).as("first page").hasSize(2);
      assertThat(second.at(items)).as("second page").isNotEmpty();
      assertThat(second.at(items)).doesNotContainAnyElementsOf(first.at(items));
    }
  }

  /** {@code limit=1} gives one item where there are several. */
  record Limited(String items) implements RowCheck {

    @Override
    public void holds(Sold sold) {
      assertThat(sold.answer().at(items)).hasSizeGreaterThan(1);
      assertThat(sold.again("limit", RowChecks.text("1")).at(items)).hasSize(1);
    }
  }

  /** The items are in order. */
  record Sorted(String items, String by, boolean descending) implements RowCheck {

    @Override
    public void holds(Sold sold) {
      List<JsonNode> values = new ArrayList<>();
      sold.answer().at(items).forEach(item -> values.add(item.at(by)));
      Comparator<JsonNode> order =
          values.stream().allMatch(JsonNode::isNumber)
              ? Comparator.comparing(JsonNode::decimalValue)
              : Comparator.comparing(JsonNode::asText);
      assertThat(values).as(by).hasSizeGreaterThan(1).noneMatch(JsonNode::isMissingNode);
      assertThat(values).as(by).isSortedAccordingTo(descending ? order.reversed() : order);
    }
  }

  /** In each item, or in the answer itself, these values do not fall, and those do not either. */
  record Ordered(String items, List<String> fields, List<String> also) implements RowCheck {

    @Override
    public void holds(Sold sold) {
      for (JsonNode item : RowChecks.items(sold.answer(), items)) {
        for (List<String> rising : List.of(fields, also)) {
          List<BigDecimal> values = rising.stream().map(f -> RowChecks.number(item, f)).toList();
          assertThat(values).as(rising.toString()).isSorted();
        }
      }
    }
  }

  /** In each item, or in the answer itself, these values add up. */
  record Adds(String items, List<String> fields, BigDecimal to) implements RowCheck {

    private static final BigDecimal ROUNDING = new BigDecimal("0.000001");

    @Override
    public void holds(Sold sold) {
      for (JsonNode item : RowChecks.items(sold.answer(), items)) {
        BigDecimal sum =
            fields.stream()
                .map(field -> RowChecks.number(item, field))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(sum).as(fields + " of " + item).isCloseTo(to, within(ROUNDING));
      }
    }
  }

  /** No two items are the same thing. */
  record Distinct(String items, List<String> by) implements RowCheck {

    @Override
    public void holds(Sold sold) {
      List<List<JsonNode>> keys = new ArrayList<>();
      sold.answer().at(items).forEach(item -> keys.add(by.stream().map(item::at).toList()));
      assertThat(keys).hasSizeGreaterThan(1).doesNotHaveDuplicates();
    }
  }
}
