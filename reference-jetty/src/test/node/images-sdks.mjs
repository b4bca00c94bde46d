// SDKs that draw pictures, unmodified: what they make of the gateway, scenario by scenario.
// usage: node images-sdks.mjs BASE API_KEY|x402
import { createOpenAI } from '@ai-sdk/openai';
import { generateImage } from 'ai';
import OpenAI, { toFile } from 'openai';
import { PICTURE, base, door, key, refused, tell } from './sdk-door.mjs';

// A bearer value that is no key is 401 at the gateway: who pays per call sends none.
const at = { baseURL: `${base}/v1`, apiKey: key ?? 'none', fetch: door };
const nameless = key === undefined;
const open = new OpenAI({ ...at, maxRetries: 0, ...(nameless ? { defaultHeaders: { Authorization: null } } : {}) });
const ai = createOpenAI({ ...at, ...(nameless ? { headers: { Authorization: undefined } } : {}) });

const isPng = (bytes) => Buffer.from(bytes).subarray(1, 4).toString() === 'PNG';
const picture = (one) => ({ png: isPng(Buffer.from(one.b64_json ?? '', 'base64')), url: one.url !== undefined });
const door1 = () => toFile(Buffer.from(PICTURE, 'base64'), 'door.png', { type: 'image/png' });
const order = { model: 'gpt-image-2', prompt: 'a red door', size: '1024x1024' };

async function events(stream) {
  const types = [];
  let last = {};
  for await (const event of stream) {
    types.push(event.type);
    last = event;
  }
  return { types, usage: last.usage !== undefined, ...picture(last) };
}

await tell({
  draws: async () => picture((await open.images.generate(order)).data[0]),
  drawsWithQuality: async () => picture((await open.images.generate({ ...order, quality: 'low', n: 1 })).data[0]),
  drawsBytes: async () =>
    picture((await open.images.generate({ ...order, model: 'provider-a/image-2', response_format: 'b64_json' })).data[0]),
  streams: async () => events(await open.images.generate({ ...order, stream: true, partial_images: 2 })),
  edits: async () => picture((await open.images.edit({ ...order, image: await door1() })).data[0]),
  editsStreamed: async () =>
    events(await open.images.edit({ ...order, image: await door1(), stream: true, partial_images: 1 })),
  tooGood: () => refused(() => open.images.generate({ ...order, quality: 'high' })),
  retired: () => refused(() => open.images.generate({ ...order, model: 'gpt-image-1' })),
  unknown: () => refused(() => open.images.generate({ ...order, seed: 7 })),
  generateImage: async () => {
    const { image } = await generateImage({ model: ai.image('gpt-image-2'), prompt: 'a red door', size: '1024x1024', maxRetries: 0 });
    return { png: isPng(image.uint8Array), type: image.mediaType };
  },
  generateImageByVendor: async () => {
    const { image } = await generateImage({ model: ai.image('openai/gpt-image-2'), prompt: 'a red door', maxRetries: 0 });
    return { png: isPng(image.uint8Array), type: image.mediaType };
  },
  generateImageFromOne: async () => {
    const { image } = await generateImage({
      model: ai.image('gpt-image-2'),
      prompt: { text: 'a blue door', images: [Buffer.from(PICTURE, 'base64')] },
      maxRetries: 0,
    });
    return { png: isPng(image.uint8Array), type: image.mediaType };
  },
});
