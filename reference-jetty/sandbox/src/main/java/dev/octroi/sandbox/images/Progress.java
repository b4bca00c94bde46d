package dev.octroi.sandbox.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.octroi.sandbox.vendor.SandboxStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The stream of an order: the picture coarse at first, then finer, then as it is. */
record Progress(Drawing drawing, Clock clock) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAUSE_MILLIS = 20;
  private static final int COARSEST = 32;

  SandboxStream stream() {
    String kind = drawing.order().edit() ? "image_edit" : "image_generation";
    Picture picture = drawing.picture(0);
    List<SandboxStream.Frame> frames = new ArrayList<>();
    for (int number = 0; number < drawing.order().partials(); number++) {
      Map<String, Object> partial = event(kind + ".partial_image", coarse(picture, number));
      partial.put("partial_image_index", number);
      partial.put("background", drawing.order().form().transparent() ? "transparent" : "opaque");
      partial.put("output_format", drawing.order().form().format().word());
      partial.put("quality", drawing.order().form().quality());
      partial.put("size", drawing.order().form().size());
      frames.add(frame(partial));
    }
    Map<String, Object> completed = event(kind + ".completed", picture);
    completed.putAll(ImageVendor.described(drawing.order()));
    frames.add(frame(completed));
    return new SandboxStream(frames);
  }

  private static Picture coarse(Picture picture, int number) {
    int grain = COARSEST >> (2 * number);
    return picture
        .scaled(Math.max(1, picture.width() / grain), Math.max(1, picture.height() / grain))
        .scaled(picture.width(), picture.height());
  }

  private Map<String, Object> event(String type, Picture picture) {
    byte[] bytes =
        drawing.order().form().format().write(picture, drawing.order().form().compression());
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("type", type);
    event.put("b64_json", Base64.getEncoder().encodeToString(bytes));
    event.put("created_at", clock.instant().getEpochSecond());
    return event;
  }

  private static SandboxStream.Frame frame(Map<String, Object> event) {
    try {
      String text =
          "event: " + event.get("type") + "\ndata: " + JSON.writeValueAsString(event) + "\n\n";
      return new SandboxStream.Frame(text, PAUSE_MILLIS, false);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
