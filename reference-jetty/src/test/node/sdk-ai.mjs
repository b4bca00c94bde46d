// The AI SDK with its providers of two vendors, unmodified: what it makes of the gateway, scenario by scenario.
// usage: node sdk-ai.mjs BASE API_KEY SLOW_MODEL
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { Output, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { CITY, PICTURE, base, door, key, refused, tell } from './sdk-door.mjs';

const slow = process.argv[4];
const at = (apiKey) => ({ baseURL: `${base}/v1`, apiKey, fetch: door });
const messages = createAnthropic(at(key));
const open = createOpenAI(at(key));
const schema = jsonSchema(CITY);
const models = {
  messages: messages('claude-haiku-4-5'),
  chat: open.chat('gemini-3.5-flash-lite'),
  responses: open('gpt-5.4-mini'),
};
// The SDK's loop: it runs what the model calls, and asks again.
const weather = (asked) => ({
  news: tool({ description: 'news', inputSchema: schema, execute: () => 'None' }),
  weather: tool({
    description: 'weather',
    inputSchema: schema,
    execute: (input) => asked.push(input) && 'Rain all day',
  }),
});
const common = (model) => ({ model, maxOutputTokens: 2048, maxRetries: 0 });

const scenarios = {};
for (const [name, model] of Object.entries(models)) {
  Object.assign(scenarios, {
    async [`${name}Plain`]() {
      const { text, finishReason: stop, usage, response } = await generateText({
        ...common(model),
        system: 'You are brief.',
        prompt: 'echo: Füße und 漢字',
      });
      return { text, stop, input: usage.inputTokens, output: usage.outputTokens, model: response.modelId };
    },
    async [`${name}Streaming`]() {
      const stream = streamText({ ...common(model), prompt: 'count to 20' });
      let pieces = 0;
      let text = '';
      for await (const piece of stream.textStream) {
        pieces++;
        text += piece;
      }
      return { text, pieces, stop: await stream.finishReason, output: (await stream.usage).outputTokens };
    },
    async [`${name}Tools`]() {
      const asked = [];
      const tools = weather(asked);
      const prompt = "call weather for 'Kassel' over 3 days";
      const { text, steps } = await generateText({ ...common(model), prompt, tools, stopWhen: stepCountIs(3) });
      const stream = streamText({ ...common(model), prompt, tools, stopWhen: stepCountIs(3) });
      return { asked, text, steps: steps.length, streamed: await stream.text };
    },
    async [`${name}Structured`]() {
      const prompt = "'Kassel' over 3 days";
      const { output } = await generateText({ ...common(model), prompt, output: Output.object({ schema }) });
      const stream = streamText({ ...common(model), prompt, output: Output.object({ schema }) });
      return { output, streamed: await stream.output };
    },
    async [`${name}Vision`]() {
      const content = [
        { type: 'text', text: 'What is this?' },
        { type: 'image', image: PICTURE, mediaType: 'image/png' },
      ];
      return { text: (await generateText({ ...common(model), messages: [{ role: 'user', content }] })).text };
    },
    [`${name}Invalid`]: () =>
      refused(() => generateText({ ...common(model), prompt: 'fail with invalid request' })),
  });
}

await tell({
  ...scenarios,
  async thinking() {
    const { text, reasoningText: thought } = await generateText({
      ...common(models.messages),
      prompt: 'echo: yes',
      providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
    });
    return { text, thought };
  },
  unknownModel: () => refused(() => generateText({ ...common(messages('no-such-model')), prompt: 'hello' })),
  unknownKey: () =>
    refused(() => generateText({ ...common(createOpenAI(at('sk-unknown'))('gpt-5.4-mini')), prompt: 'hello' })),
  async cancellation() {
    const abort = new AbortController();
    const stream = streamText({ ...common(open.chat(slow)), prompt: 'hello', abortSignal: abort.signal });
    let events = 0;
    for await (const piece of stream.textStream) {
      if (piece && ++events === 3) {
        abort.abort();
        break;
      }
    }
    return { events };
  },
});
