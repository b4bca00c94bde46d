// Calls tools with the official client of the Model Context Protocol, unmodified, and pays with the published x402
// client; prints what a test wants to know as one JSON line. usage: node tools.mjs BASE API_KEY
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { x402Client } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const [base, key] = process.argv.slice(2);
const account = privateKeyToAccount(generatePrivateKey());
const wallet = new x402Client().register('eip155:*', new ExactEvmScheme(account));

const connected = async (headers, group = '') => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp${group}`), { requestInit: { headers } }));
  return client;
};
const paying = async (client, call, options) => {
  const unpaid = await client.callTool(call, undefined, options);
  const payment = await wallet.createPaymentPayload(unpaid.structuredContent);
  return client.callTool({ ...call, _meta: { 'x402/payment': payment } }, undefined, options);
};

const price = { name: 'cryptodata_exchange_price', arguments: { pair: 'BTC-USDT' } };
const client = await connected({});
const { tools: first } = await client.listTools();

// Every tool of every group, page by page.
const tools = [];
const home = await (await fetch(base)).json();
for (const { name } of home.groups) {
  const group = await connected({}, `/${name}`);
  for (let cursor; cursor !== null; ) {
    const page = await group.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor ?? null;
  }
  await group.close();
}
const lists = { ...(await client.listResources()), ...(await client.listPrompts()) };
const found = await client.callTool({ name: 'find', arguments: { words: 'exchange price' } });
const told = await client.callTool({ name: 'describe', arguments: { name: 'cryptodata_exchange_price' } });
const named = await paying(client, { name: 'call', arguments: { name: price.name, arguments: price.arguments } });
const unpaid = await client.callTool(price);
const paid = await paying(client, price);

const progress = [];
const job = await paying(
  client,
  { name: 'images_generations', arguments: { model: 'provider-a/image-1', prompt: 'a toll booth sandbox:slow=3' } },
  { onprogress: (told) => progress.push(told), timeout: 60_000, resetTimeoutOnProgress: true },
);

const holder = await connected({ authorization: `Bearer ${key}` });
const keyed = await holder.callTool(price);
const chat = await holder.callTool({
  name: 'chat_completions',
  arguments: { model: 'auto/eco', max_tokens: 32, messages: [{ role: 'user', content: 'echo: yes' }] },
});
const stranger = await connected({ authorization: 'Bearer sk-unknown' });
const refused = await stranger.callTool(price);

console.log(
  JSON.stringify({
    server: client.getServerVersion(),
    payer: account.address,
    tools: tools.map(({ name, description, inputSchema, annotations }) => ({ name, description, inputSchema, annotations })),
    first: first.map(({ name }) => name),
    lists,
    found,
    told,
    named,
    unpaid,
    paid,
    job,
    progress,
    keyed,
    chat,
    refused,
  }),
);
await Promise.all([client.close(), holder.close(), stranger.close()]);
