// The SDK of the vendor of chat completions and responses, unmodified: what it makes of the gateway, scenario by scenario.
// usage: node sdk-openai.mjs BASE (API_KEY | x402) SLOW_MODEL
import OpenAI from 'openai';
import { CITY, PICTURE, base, door, key, plainDoor, refused, tell } from './sdk-door.mjs';

const slow = process.argv[4];
// A bearer value that is no key is 401 at the gateway: who pays per call sends none.
const nameless = { defaultHeaders: { Authorization: null } };
const client = new OpenAI({
  baseURL: `${base}/v1`,
  apiKey: key ?? 'none',
  fetch: door,
  maxRetries: 0,
  ...(key === undefined ? nameless : {}),
});
const CHAT = 'gemini-3.5-flash-lite';
const RESPONSES = 'gpt-5.4-mini';
const picture = `data:image/png;base64,${PICTURE}`;
const chatTool = (name) => ({ type: 'function', function: { name, description: name, parameters: CITY } });
const tool = (name) => ({ type: 'function', name, description: name, parameters: CITY, strict: false });
const strict = { ...CITY, additionalProperties: false };
const chat = (content, more = {}) => ({
  model: CHAT,
  max_completion_tokens: 1024,
  messages: [{ role: 'user', content }],
  ...more,
});
const respond = (input, more = {}) => ({ model: RESPONSES, max_output_tokens: 1024, input, ...more });
const chatCalls = (completion) =>
  (completion.choices[0].message.tool_calls ?? []).map(({ function: called }) => ({
    name: called.name,
    input: JSON.parse(called.arguments),
  }));
const calls = (response) =>
  response.output
    .filter((item) => item.type === 'function_call')
    .map((item) => ({ name: item.name, input: JSON.parse(item.arguments) }));

async function streamedResponse(body) {
  const events = [];
  let whole;
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    events.push(event.type);
    whole = event.response ?? whole;
  }
  return { events, response: whole };
}

await tell({
  async chatPlain() {
    const completion = await client.chat.completions.create(chat('echo: Füße und 漢字'));
    const [choice] = completion.choices;
    return {
      text: choice.message.content,
      stop: choice.finish_reason,
      model: completion.model,
      usage: completion.usage,
      request: completion._request_id,
    };
  },
  async chatStreaming() {
    const stream = client.chat.completions.stream(chat('count to 20', { stream_options: { include_usage: true } }));
    let chunks = 0;
    stream.on('chunk', () => chunks++);
    const completion = await stream.finalChatCompletion();
    const [choice] = completion.choices;
    return { text: choice.message.content, stop: choice.finish_reason, output: completion.usage.completion_tokens, chunks };
  },
  async chatTools() {
    const body = chat("call weather for 'Kassel' over 3 days", { tools: [chatTool('news'), chatTool('weather')] });
    const completion = await client.chat.completions.create(body);
    const { message, finish_reason: stop } = completion.choices[0];
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Rain all day' };
    const last = await client.chat.completions.create({ ...body, messages: [...body.messages, message, result] });
    return { calls: chatCalls(completion), stop, text: last.choices[0].message.content };
  },
  async chatParallelTools() {
    const body = chat('use weather and news', { tools: [chatTool('weather'), chatTool('news')] });
    const plain = await client.chat.completions.create(body);
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    return { calls: chatCalls(plain), streamed: chatCalls(streamed), stop: streamed.choices[0].finish_reason };
  },
  async chatToolRunner() {
    const asked = [];
    const weather = {
      type: 'function',
      function: {
        name: 'weather',
        description: 'weather',
        parameters: CITY,
        parse: JSON.parse,
        function: (input) => asked.push(input) && 'Sunshine',
      },
    };
    const runner = client.chat.completions.runTools(chat("call weather for 'Kassel' over 3 days", { tools: [weather] }));
    return { asked, text: await runner.finalContent() };
  },
  async chatThinking() {
    const completion = await client.chat.completions.create(
      chat('echo: yes', { model: 'gemini-3.5-flash-lite', reasoning_effort: 'low' }),
    );
    const { message } = completion.choices[0];
    return { thought: message.reasoning_content ?? '', text: message.content };
  },
  async chatVision() {
    const parts = [
      { type: 'image_url', image_url: { url: picture } },
      { type: 'text', text: 'What is this?' },
    ];
    const completion = await client.chat.completions.create(chat(parts, { model: 'gemini-3.5-flash-lite' }));
    return { text: completion.choices[0].message.content };
  },
  async chatOtherVendor() {
    const completion = await client.chat.completions.create(chat('echo: across', { model: 'anthropic/claude-haiku-4.5' }));
    const stream = client.chat.completions.stream(chat('echo: across', { model: RESPONSES }));
    const streamed = await stream.finalChatCompletion();
    return { text: completion.choices[0].message.content, streamed: streamed.choices[0].message.content };
  },
  async responsesPlain() {
    const response = await client.responses.create(respond('echo: Füße und 漢字'));
    return {
      text: response.output_text,
      stop: response.status,
      model: response.model,
      usage: response.usage,
      request: response._request_id,
    };
  },
  async responsesStreaming() {
    const { events, response } = await streamedResponse(respond('count to 20'));
    const stream = client.responses.stream(respond('count to 20'));
    const whole = await stream.finalResponse();
    return { text: whole.output_text, stop: response.status, output: response.usage.output_tokens, events };
  },
  async responsesTools() {
    const body = respond("call weather for 'Kassel' over 3 days", { tools: [tool('news'), tool('weather')] });
    const response = await client.responses.create(body);
    const call = response.output.find((item) => item.type === 'function_call');
    const last = await client.responses.create({
      ...body,
      input: [
        { role: 'user', content: body.input },
        ...response.output,
        { type: 'function_call_output', call_id: call.call_id, output: 'Rain all day' },
      ],
    });
    return { calls: calls(response), text: last.output_text };
  },
  async responsesParallelTools() {
    const body = respond('use weather and news', { tools: [tool('weather'), tool('news')] });
    const { response } = await streamedResponse(body);
    return { calls: calls(await client.responses.create(body)), streamed: calls(response) };
  },
  async responsesThinking() {
    const response = await client.responses.create(
      respond('echo: yes', { reasoning: { effort: 'low', summary: 'auto' } }),
    );
    const thought = response.output.find((item) => item.type === 'reasoning');
    return { thought: thought.summary.map((part) => part.text).join(''), text: response.output_text };
  },
  async responsesVision() {
    const content = [
      { type: 'input_image', image_url: picture, detail: 'auto' },
      { type: 'input_text', text: 'What is this?' },
    ];
    const response = await client.responses.create(respond([{ role: 'user', content }]));
    return { text: response.output_text };
  },
  async responsesOtherVendor() {
    const response = await client.responses.create(respond('echo: across', { model: 'claude-haiku-4.5' }));
    const { response: streamed } = await streamedResponse(respond('echo: across', { model: CHAT }));
    return { text: response.output_text, streamed: streamed.output[0].content[0].text };
  },
  async chatStructured() {
    const json_schema = { name: 'trip', schema: strict, strict: true };
    const body = chat("'Kassel' over 3 days", { response_format: { type: 'json_schema', json_schema } });
    const completion = await client.chat.completions.parse(body);
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    return { output: completion.choices[0].message.parsed, streamed: JSON.parse(streamed.choices[0].message.content) };
  },
  async responsesStructured() {
    const format = { type: 'json_schema', name: 'trip', schema: strict, strict: true };
    const body = respond("'Kassel' over 3 days", { text: { format } });
    const response = await client.responses.parse(body);
    const streamed = await client.responses.stream(body).finalResponse();
    return { output: response.output_parsed, streamed: JSON.parse(streamed.output_text) };
  },
  async chatStops() {
    const body = chat('count to 20', { stop: [', 4'], model: RESPONSES });
    const completion = await client.chat.completions.create(body);
    const streamed = await client.chat.completions.stream(body).finalChatCompletion();
    return {
      text: completion.choices[0].message.content,
      streamed: streamed.choices[0].message.content,
      stop: streamed.choices[0].finish_reason,
    };
  },
  async responsesCounted() {
    const counted = await client.responses.inputTokens.count({
      model: RESPONSES,
      instructions: 'Be brief.',
      input: 'How long is this?',
      tools: [tool('weather')],
    });
    return { tokens: counted.input_tokens, object: counted.object };
  },
  async models() {
    const ids = [];
    for await (const model of client.models.list()) {
      ids.push(model.id);
    }
    return { ids, one: (await client.models.retrieve(RESPONSES)).id, prefixed: (await client.models.retrieve(`openai/${RESPONSES}`)).id };
  },
  unknownModel: () => refused(() => client.models.retrieve('no-such-model')),
  vendorsFeature: () => refused(() => client.responses.create(respond('hello', { tools: [{ type: 'web_search' }] }))),
  invalid: () => refused(() => client.chat.completions.create(chat('hello', { model: 'no-such-model' }))),
  upstreamInvalid: () => refused(() => client.responses.create(respond('fail with invalid request'))),
  unknownKey: () =>
    refused(() =>
      new OpenAI({ baseURL: `${base}/v1`, apiKey: 'sk-unknown', fetch: plainDoor }).responses.create(respond('hello')),
    ),
  unpaid: () =>
    refused(() =>
      new OpenAI({ baseURL: `${base}/v1`, apiKey: 'none', fetch: plainDoor, ...nameless }).responses.create(
        respond('hello'),
      ),
    ),
  chatRetries: () =>
    refused(() => client.chat.completions.create(chat('fail with unavailable'), { maxRetries: 1 })),
  responsesRetries: () =>
    refused(() => client.responses.create(respond('fail with unavailable'), { maxRetries: 1 })),
  chatBrokenStream: () =>
    refused(() => client.chat.completions.stream(chat('emit 50 tokens, fail after 5 tokens')).finalChatCompletion()),
  async responsesBrokenStream() {
    const { events, response } = await streamedResponse(respond('emit 50 tokens, fail after 5 tokens'));
    return { last: events.at(-1), stop: response.status, error: response.error };
  },
  async cancellation() {
    const stream = await client.chat.completions.create(chat('hello', { model: slow, stream: true }));
    let events = 0;
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta?.content && ++events === 3) {
        stream.controller.abort();
        // The signal of a request that was copied, as it is to pay, may be forgotten on its way.
        break;
      }
    }
    return { events };
  },
});
