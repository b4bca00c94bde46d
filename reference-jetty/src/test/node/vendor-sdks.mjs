// The vendors' own SDKs, unmodified, at the sandbox's vendors and not through the gateway: what their types promise, and the errors they know.
// usage: node vendor-sdks.mjs SANDBOX_BASE
import Anthropic from '@anthropic-ai/sdk';
import Exa from 'exa-js';
import OpenAI, { toFile } from 'openai';
import twilio from 'twilio';

const base = process.argv[2];
const told = {};

async function scenario(name, run) {
  try {
    told[name] = await run();
  } catch (error) {
    told[name] = { failed: String(error.stack) };
  }
}

async function thrown(call) {
  try {
    await call();
    return { thrown: null };
  } catch (error) {
    return {
      thrown: error.constructor.name,
      status: error.status ?? error.statusCode ?? null,
      code: error.code ?? null,
      type: error.type ?? error.error?.error?.type ?? null,
      param: error.param ?? null,
      message: error.message,
      id: error.requestID ?? error.requestId ?? null,
    };
  }
}

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

// Messages.
const anthropic = new Anthropic({ baseURL: `${base}/messages`, apiKey: 'any', maxRetries: 0 });
const ask = (content, more = {}) => ({
  model: 'claude-haiku-4-5',
  max_tokens: 1024,
  messages: [{ role: 'user', content }],
  ...more,
});
await scenario('messages', async () => {
  const whole = await anthropic.messages.create(ask('echo: yes', { system: 'Be brief' }));
  const stream = anthropic.messages.stream(ask('count to 5'));
  const streamed = await stream.finalMessage();
  const tools = [{ name: 'weather', input_schema: CITY }];
  const called = await anthropic.messages.create(ask('call weather', { tools, tool_choice: { type: 'any' } }));
  const use = called.content.find((block) => block.type === 'tool_use');
  const answered = await anthropic.messages.create({
    ...ask('call weather', { tools }),
    messages: [
      { role: 'user', content: 'call weather' },
      { role: 'assistant', content: called.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'Rain' }] },
    ],
  });
  const thought = await anthropic.messages.create(
    ask('echo: yes', { max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 1024 } }),
  );
  const seen = await anthropic.messages.create(
    ask([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
      { type: 'text', text: 'what is this?' },
    ]),
  );
  const counted = await anthropic.messages.countTokens({
    model: 'claude-haiku-4-5',
    messages: [{ role: 'user', content: 'hello there' }],
  });
  return {
    text: whole.content[0].text,
    stop: whole.stop_reason,
    usage: whole.usage.input_tokens > 0 && whole.usage.output_tokens > 0,
    id: whole._request_id,
    streamed: streamed.content[0].text,
    tool: use.name,
    answered: answered.content[0].text,
    thought: thought.content.map((block) => block.type),
    seen: seen.content[0].text,
    counted: counted.input_tokens,
  };
});
await scenario('messagesErrors', async () => ({
  unknown: await thrown(() => anthropic.messages.create(ask('x', { colour: 'red' }))),
  missing: await thrown(() => anthropic.messages.create(ask('x', { max_tokens: undefined }))),
  sampling: await thrown(() => anthropic.messages.create({ ...ask('x', { temperature: 1 }), model: 'claude-opus-4-8' })),
  beta: await thrown(() => anthropic.messages.create(ask('x'), { headers: { 'anthropic-beta': 'whatever' } })),
  key: await thrown(() => new Anthropic({ baseURL: `${base}/messages`, apiKey: ' ', maxRetries: 0 }).messages.create(ask('x'))),
  path: await thrown(() => anthropic.get('/v1/nothing')),
  busy: await thrown(() => anthropic.messages.create(ask('fail with rate limit'))),
  overloaded: await thrown(() => anthropic.messages.create(ask('fail with overloaded'))),
}));

// Chat, responses, pictures.
const openai = (mount) => new OpenAI({ baseURL: `${base}/${mount}/v1`, apiKey: 'any', maxRetries: 0 });
const chat = (content, more = {}) => ({ model: 'gpt-5.4-mini', messages: [{ role: 'user', content }], ...more });
await scenario('chat', async () => {
  const client = openai('chat');
  const whole = await client.chat.completions.create(chat('echo: yes'));
  let streamed = '';
  const stream = await client.chat.completions.create(
    chat('count to 5', { stream: true, stream_options: { include_usage: true } }),
  );
  let usage = null;
  for await (const chunk of stream) {
    streamed += chunk.choices[0]?.delta?.content ?? '';
    usage = chunk.usage ?? usage;
  }
  const tools = [{ type: 'function', function: { name: 'weather', parameters: CITY } }];
  const called = await client.chat.completions.create(chat('call weather', { tools, tool_choice: 'required' }));
  const parsed = await client.chat.completions.parse(
    chat('a city', {
      response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema: { ...CITY, additionalProperties: false } } },
    }),
  );
  return {
    text: whole.choices[0].message.content,
    stop: whole.choices[0].finish_reason,
    id: whole._request_id,
    streamed,
    usage: usage.total_tokens > 0,
    tool: called.choices[0].message.tool_calls[0].function.name,
    parsed: typeof parsed.choices[0].message.parsed.city,
  };
});
await scenario('chatErrors', async () => ({
  unknown: await thrown(() => openai('chat').chat.completions.create(chat('x', { colour: 'red' }))),
  type: await thrown(() => openai('chat').chat.completions.create(chat('x', { n: 'two' }))),
  dialect: await thrown(() => openai('chat').chat.completions.create({ ...chat('x', { store: true }), model: 'gemini-3.5-flash-lite' })),
  path: await thrown(() => openai('chat').get('/nothing')),
}));
await scenario('responses', async () => {
  const client = openai('responses');
  const whole = await client.responses.create({ model: 'gpt-5.4-mini', input: 'echo: yes', reasoning: { effort: 'low' } });
  const types = [];
  for await (const event of await client.responses.create({ model: 'gpt-5.4-mini', input: 'count to 3', stream: true })) {
    types.push(event.type);
  }
  const counted = await client.responses.inputTokens.count({ model: 'gpt-5.4-mini', input: 'hello there' });
  return { text: whole.output_text, status: whole.status, last: types.at(-1), counted: counted.input_tokens };
});
await scenario('responsesErrors', async () => ({
  unknown: await thrown(() => openai('responses').responses.create({ model: 'gpt-5.4-mini', input: 'x', max_tokens: 5 })),
  bound: await thrown(() => openai('responses').responses.create({ model: 'gpt-5.4-mini', input: 'x', max_output_tokens: 1 })),
}));
await scenario('pictures', async () => {
  const client = openai('images');
  const drawn = await client.images.generate({ model: 'gpt-image-2', prompt: 'a red door', size: '1024x1024', quality: 'low' });
  const types = [];
  for await (const event of await client.images.generate({
    model: 'gpt-image-2', prompt: 'a red door', size: '1024x1024', stream: true, partial_images: 1,
  })) {
    types.push(event.type);
  }
  const bytes = Buffer.from(drawn.data[0].b64_json, 'base64');
  const edited = await client.images.edit({
    model: 'gpt-image-2', prompt: 'a blue door', image: await toFile(bytes, 'door.png', { type: 'image/png' }),
  });
  const two = await client.images.edit({
    model: 'gpt-image-2',
    prompt: 'a blue door',
    image: [await toFile(bytes, 'a.png', { type: 'image/png' }), await toFile(bytes, 'b.png', { type: 'image/png' })],
  });
  return { png: bytes.subarray(1, 4).toString(), types, edited: edited.data.length, two: two.data.length };
});
await scenario('picturesErrors', async () => ({
  retired: await thrown(() => openai('images').images.generate({ model: 'gpt-image-1', prompt: 'x' })),
  format: await thrown(() => openai('images').images.generate({ model: 'gpt-image-2', prompt: 'x', response_format: 'url' })),
  prompt: await thrown(() => openai('images').images.generate({ model: 'gpt-image-2' })),
}));

// Search.
const exa = new Exa('any', `${base}/websearch`);
await scenario('search', async () => {
  const found = await exa.search('tidal power', { numResults: 3 });
  const bare = await exa.search('tidal power', { contents: false, category: 'publication' });
  const dressed = await exa.searchAndContents('tidal power', { text: true, highlights: true, summary: true });
  const url = found.results[0].url;
  const pages = await exa.getContents([url], { text: { maxCharacters: 20 } });
  const similar = await exa.findSimilar(url, { numResults: 2 });
  const answer = await exa.answer('When may stablecoin holders redeem?');
  return {
    results: found.results.length,
    text: typeof found.results[0].text,
    bare: bare.results.every((one) => one.text === undefined),
    dressed: ['text', 'highlights', 'summary'].every((member) => dressed.results[0][member] !== undefined),
    page: pages.results[0].text.length,
    status: pages.statuses[0].status,
    similar: similar.results.length,
    answer: answer.answer,
    citations: answer.citations.length,
  };
});
await scenario('searchErrors', async () => ({
  category: await thrown(() => exa.search('x', { category: 'tweet' })),
  dates: await thrown(() => exa.search('x', { category: 'company', startPublishedDate: '2026-01-01' })),
  many: await thrown(() => exa.search('x', { numResults: 1000 })),
  key: await thrown(() => new Exa(' ', `${base}/websearch`).search('x')),
}));

// Numbers, texts, lookups. The SDK's own way to another host is another client of HTTP.
class Here extends twilio.RequestClient {
  request(options) {
    return super.request({ ...options, uri: options.uri.replace(/^https:\/\/(api|lookups)\.twilio\.com/, `${base}/phone`) });
  }
}
const phone = twilio(`AC${'0'.repeat(32)}`, 'token', { httpClient: new Here() });
await scenario('phone', async () => {
  const [offered] = await phone.availablePhoneNumbers('US').local.list({ areaCode: 425, limit: 1 });
  const bought = await phone.incomingPhoneNumbers.create({ phoneNumber: offered.phoneNumber, friendlyName: 'mine' });
  const listed = await phone.incomingPhoneNumbers.list({ friendlyName: 'mine', limit: 5 });
  const text = await phone.messages.create({ from: bought.phoneNumber, to: '+12065550100', body: 'hello' });
  const sent = await phone.messages.list({ to: '+12065550100', limit: 5 });
  const known = await phone.lookups.v2.phoneNumbers('+14155550123').fetch({ fields: 'line_type_intelligence,sim_swap' });
  const removed = await phone.incomingPhoneNumbers(bought.sid).remove();
  return {
    bought: bought.phoneNumber === offered.phoneNumber,
    listed: listed.map((one) => one.friendlyName),
    status: text.status,
    sent: sent.map((one) => one.body),
    valid: known.valid,
    carrier: typeof known.lineTypeIntelligence.carrierName,
    removed,
  };
});
await scenario('phoneErrors', async () => ({
  field: await thrown(() => phone.lookups.v2.phoneNumbers('+14155550123').fetch({ fields: 'colour' })),
  to: await thrown(() => phone.messages.create({ from: '+14255550100', body: 'x', to: '' })),
  gone: await thrown(() => phone.incomingPhoneNumbers('PN00000000000000000000000000000000').remove()),
  path: await thrown(() => phone.api.v2010.accounts(`AC${'0'.repeat(32)}`).usage.records.list({ limit: 1 })),
}));

console.log(JSON.stringify(told));
process.exit(0);
