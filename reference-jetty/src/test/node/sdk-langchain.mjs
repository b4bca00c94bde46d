// LangChain with its packages for two vendors, unmodified: what it makes of the gateway, scenario by scenario.
// usage: node sdk-langchain.mjs BASE API_KEY SLOW_MODEL
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { CITY, PICTURE, base, door, key, refused, tell } from './sdk-door.mjs';

const slow = process.argv[4];
const open = (model, more = {}) =>
  new ChatOpenAI({
    model,
    apiKey: key,
    maxTokens: 2048,
    maxRetries: 0,
    configuration: { baseURL: `${base}/v1`, fetch: door },
    ...more,
  });
const messages = (model, more = {}) =>
  new ChatAnthropic({
    model,
    apiKey: key,
    maxTokens: 2048,
    maxRetries: 0,
    anthropicApiUrl: base,
    clientOptions: { fetch: door },
    ...more,
  });
const models = {
  messages: (more) => messages('claude-haiku-4-5', more),
  chat: (more) => open('gemini-3.5-flash-lite', more),
  responses: (more) => open('gpt-5.4-mini', { useResponsesApi: true, ...more }),
};
const named = (name) => tool(() => 'Rain all day', { name, description: name, schema: CITY });

const scenarios = {};
for (const [name, model] of Object.entries(models)) {
  Object.assign(scenarios, {
    async [`${name}Plain`]() {
      const answer = await model().invoke([new SystemMessage('You are brief.'), new HumanMessage('echo: Füße und 漢字')]);
      const usage = answer.usage_metadata;
      return { text: answer.text, input: usage.input_tokens, output: usage.output_tokens };
    },
    async [`${name}Streaming`]() {
      let pieces = 0;
      let whole;
      for await (const piece of await model().stream('count to 20')) {
        pieces++;
        whole = whole === undefined ? piece : whole.concat(piece);
      }
      return { text: whole.text, pieces, output: whole.usage_metadata?.output_tokens ?? null };
    },
    async [`${name}Tools`]() {
      const bound = model().bindTools([named('news'), named('weather')]);
      const asked = new HumanMessage("call weather for 'Kassel' over 3 days");
      const answer = await bound.invoke([asked]);
      const [call] = answer.tool_calls;
      const result = new ToolMessage({ tool_call_id: call.id, content: 'Rain all day' });
      const last = await bound.invoke([asked, answer, result]);
      let streamed;
      for await (const piece of await bound.stream([asked])) {
        streamed = streamed === undefined ? piece : streamed.concat(piece);
      }
      const calls = (message) => message.tool_calls.map(({ name: called, args }) => ({ name: called, input: args }));
      return { calls: calls(answer), streamed: calls(streamed), text: last.text };
    },
    async [`${name}Structured`]() {
      const prompt = "'Kassel' over 3 days";
      const output = await model().withStructuredOutput(CITY, { name: 'trip' }).invoke(prompt);
      const strict = await model().withStructuredOutput(CITY, { name: 'trip', method: 'jsonSchema' }).invoke(prompt);
      return { output, strict };
    },
    async [`${name}Vision`]() {
      const content = [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
      ];
      return { text: (await model().invoke([new HumanMessage({ content })])).text };
    },
    [`${name}Invalid`]: () => refused(() => model().invoke('fail with invalid request')),
  });
}

await tell({
  ...scenarios,
  async thinking() {
    const answer = await models
      .messages({ thinking: { type: 'enabled', budget_tokens: 1024 } })
      .invoke('echo: yes');
    return { text: answer.text, thought: answer.content.find((part) => part.type === 'thinking').thinking };
  },
  unknownModel: () => refused(() => open('no-such-model').invoke('hello')),
  unknownKey: () => refused(() => messages('claude-haiku-4-5', { apiKey: 'sk-unknown' }).invoke('hello')),
  async cancellation() {
    const abort = new AbortController();
    let events = 0;
    for await (const piece of await open(slow).stream('hello', { signal: abort.signal })) {
      if (piece.text && ++events === 3) {
        abort.abort();
        break;
      }
    }
    return { events };
  },
});
