// The messages vendor's SDK, unmodified: what it makes of the gateway, scenario by scenario.
// usage: node sdk-messages.mjs BASE (API_KEY | x402) SLOW_MODEL
import Anthropic from '@anthropic-ai/sdk';
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema';
import { CITY, PICTURE, base, door, key, plainDoor, refused, tell } from './sdk-door.mjs';

const slow = process.argv[4];
// A bearer value that is no key is 401 at the gateway: who pays per call sends none.
const nameless = { apiKey: null, defaultHeaders: { Authorization: null } };
const client = new Anthropic({ baseURL: base, apiKey: key, fetch: door, maxRetries: 0, ...(key ? {} : nameless) });
const MODEL = 'claude-haiku-4.5';
const tool = (name) => ({ name, description: name, input_schema: CITY });
const ask = (content, more = {}) => ({
  model: MODEL,
  max_tokens: 2048,
  messages: [{ role: 'user', content }],
  ...more,
});
const words = (message) => message.content.filter((part) => part.type === 'text').map((part) => part.text).join('');
const calls = (message) =>
  message.content.filter((part) => part.type === 'tool_use').map(({ name, input }) => ({ name, input }));

async function streamed(body) {
  const events = [];
  const stream = client.messages.stream(body);
  stream.on('streamEvent', (event) => events.push(event.type));
  const message = await stream.finalMessage();
  return { events, message };
}

await tell({
  async plain() {
    const message = await client.messages.create(ask('echo: Füße und 漢字'));
    return {
      text: words(message),
      stop: message.stop_reason,
      model: message.model,
      usage: message.usage,
      request: message._request_id,
    };
  },
  async streaming() {
    const { events, message } = await streamed(ask('count to 20'));
    return { text: words(message), stop: message.stop_reason, output: message.usage.output_tokens, events };
  },
  async tools() {
    const body = ask("call weather for 'Kassel' over 3 days", { tools: [tool('news'), tool('weather')] });
    const message = await client.messages.create(body);
    const use = message.content.find((part) => part.type === 'tool_use');
    const results = [{ type: 'tool_result', tool_use_id: use.id, content: 'Rain all day' }];
    const last = await client.messages.create({
      ...body,
      messages: [
        ...body.messages,
        { role: 'assistant', content: message.content },
        { role: 'user', content: results },
      ],
    });
    return { calls: calls(message), stop: message.stop_reason, text: words(last) };
  },
  async parallelTools() {
    const body = ask('use weather and news', { tools: [tool('weather'), tool('news')] });
    const plain = await client.messages.create(body);
    const { message } = await streamed(body);
    return { calls: calls(plain), streamed: calls(message), stop: message.stop_reason };
  },
  async thinking() {
    const body = ask('echo: yes', { thinking: { type: 'enabled', budget_tokens: 1024 } });
    const plain = await client.messages.create(body);
    const { message } = await streamed(body);
    const thought = (of) => of.content.find((part) => part.type === 'thinking');
    return {
      thought: thought(plain).thinking,
      signed: Boolean(thought(plain).signature),
      streamed: thought(message).thinking,
      streamedSigned: Boolean(thought(message).signature),
      text: words(message),
    };
  },
  async vision() {
    const source = { type: 'base64', media_type: 'image/png', data: PICTURE };
    const message = await client.messages.create(
      ask([
        { type: 'image', source },
        { type: 'text', text: 'What is this?' },
      ]),
    );
    return { text: words(message) };
  },
  async otherVendor() {
    const message = await client.messages.create(ask('echo: across', { model: 'openai/gpt-5.4-mini' }));
    const { message: whole } = await streamed(ask('echo: across', { model: 'gemini-3.5-flash-lite' }));
    return { text: words(message), streamed: words(whole) };
  },
  async toolRunner() {
    const asked = [];
    const weather = {
      ...tool('weather'),
      type: 'custom',
      parse: (input) => input,
      run: (input) => asked.push(input) && 'Sunshine',
    };
    const runner = client.beta.messages.toolRunner(ask("call weather for 'Kassel' over 3 days", { tools: [weather] }));
    const message = await runner;
    return { asked, text: words(message) };
  },
  async structured() {
    const format = jsonSchemaOutputFormat(CITY);
    const body = ask("'Kassel' over 3 days", { output_config: { format } });
    const message = await client.messages.parse(body);
    const whole = await client.messages.stream(body).finalMessage();
    return { output: message.parsed_output, streamed: whole.parsed_output };
  },
  async stops() {
    const body = ask('count to 20', { stop_sequences: [', 4'], model: 'gpt-5.4-mini' });
    const message = await client.messages.create(body);
    const { message: whole } = await streamed(body);
    return { text: words(message), streamed: words(whole), stop: whole.stop_reason, sequence: whole.stop_sequence };
  },
  async adapted() {
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    const message = await client.messages.create(
      ask('echo: yes', { model: 'claude-opus-4.8', thinking, temperature: 1, top_p: 0.97 }),
    );
    return { text: words(message) };
  },
  async betas() {
    const betas = ['interleaved-thinking-2025-05-14'];
    const message = await client.beta.messages.create(ask('echo: yes', { betas }));
    return { text: words(message) };
  },
  unknownBeta: () =>
    refused(() => client.beta.messages.create(ask('echo: yes', { betas: ['files-api-2025-04-14'] }))),
  async models() {
    const ids = [];
    for await (const model of client.models.list({ limit: 5 })) {
      ids.push(model.id);
    }
    const one = await client.models.retrieve('claude-haiku-4-5');
    return { ids, one: one.id, prefixed: (await client.models.retrieve('anthropic/claude-haiku-4.5')).id, shown: one };
  },
  unknownModel: () => refused(() => client.models.retrieve('no-such-model')),
  async counted() {
    const body = { model: MODEL, messages: [{ role: 'user', content: 'How long is this?' }], tools: [tool('weather')] };
    return { tokens: (await client.messages.countTokens(body)).input_tokens };
  },
  invalid: () => refused(() => client.messages.create(ask('hello', { model: 'no-such-model' }))),
  upstreamInvalid: () => refused(() => client.messages.create(ask('fail with invalid request'))),
  unknownKey: () =>
    refused(() => new Anthropic({ baseURL: base, apiKey: 'sk-unknown', fetch: plainDoor }).messages.create(ask('hello'))),
  unpaid: () =>
    refused(() => new Anthropic({ baseURL: base, fetch: plainDoor, ...nameless }).messages.create(ask('hello'))),
  retries: () =>
    refused(() => client.messages.create(ask('fail with unavailable'), { maxRetries: 1 })),
  brokenStream: () => refused(() => streamed(ask('emit 50 tokens, fail after 5 tokens'))),
  async cancellation() {
    const stream = await client.messages.create(ask('hello', { model: slow, stream: true }));
    let events = 0;
    for await (const event of stream) {
      if (event.type === 'content_block_delta' && ++events === 3) {
        stream.controller.abort();
        // The signal of a request that was copied, as it is to pay, may be forgotten on its way.
        break;
      }
    }
    return { events };
  },
});
