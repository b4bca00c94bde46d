// Generates a client of a gateway's description by two published generators, has the compiler judge both together with
// code that uses them, and makes a call by the generated client. usage: node generate.mjs BASE
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

const base = process.argv[2];
const description = await (await fetch(`${base}/openapi.json`)).json();
rmSync('made', { recursive: true, force: true });
mkdirSync('made');
writeFileSync('made/openapi.json', JSON.stringify(description));

function run(file, ...args) {
  try {
    return { ok: true, told: execFileSync(process.execPath, [`node_modules/${file}`, ...args], { encoding: 'utf8' }) };
  } catch (failed) {
    return { ok: false, told: `${failed.stdout}${failed.stderr}`.slice(0, 2000) };
  }
}

const types = run('openapi-typescript/bin/cli.js', 'made/openapi.json', '-o', 'made/types.ts');
const client = run('@hey-api/openapi-ts/bin/run.js', '-i', './made/openapi.json', '-o', 'made/client', '-c', '@hey-api/client-fetch');

// What a buyer's program does: it reads members of answers, which an opaque type has none of.
writeFileSync(
  'made/use.ts',
  `import type { operations } from './types';
import { cryptodataExchangeDepth, gatewayHomeHome } from './client';
import { client } from './client/client.gen';

type Depth = operations['cryptodata_exchange_depth']['responses'][200]['content']['application/json'];
export function spread(depth: Depth): number {
  return depth.data?.[0]?.spread ?? 0;
}
const messages: operations['messages_messages_messages']['requestBody']['content']['application/json'] = {
  model: 'auto/eco',
  max_tokens: 1,
  messages: [{ role: 'user', content: 'hello' }],
};
export async function ask(): Promise<{ status: number; base: string | undefined; offers: number; groups: number; sent: number }> {
  const home = await gatewayHomeHome();
  const unpaid = await cryptodataExchangeDepth({ query: { pair: 'BTC-USDT' } });
  const spreads: Array<number | null | undefined> = unpaid.data?.data?.map((one) => one.spread) ?? [];
  return {
    status: unpaid.response?.status ?? 0,
    base: client.getConfig().baseUrl,
    offers: JSON.stringify(unpaid.error).includes('accepts') ? 1 : spreads.length,
    groups: home.data?.groups.length ?? 0,
    sent: messages.messages.length,
  };
}
ask().then((asked) => console.log(JSON.stringify(asked)));
`,
);
writeFileSync(
  'made/tsconfig.json',
  JSON.stringify({
    compilerOptions: {
      strict: true, target: 'ES2022', module: 'CommonJS', moduleResolution: 'node10', skipLibCheck: true,
      lib: ['ES2022', 'DOM', 'DOM.Iterable'], outDir: 'js', types: [],
    },
    include: ['types.ts', 'client', 'use.ts'],
  }),
);
const compiled = run('typescript/bin/tsc', '-p', 'made');
mkdirSync('made/js', { recursive: true });
writeFileSync('made/js/package.json', '{"type":"commonjs"}');
const used = compiled.ok ? execFileSync(process.execPath, ['made/js/use.js'], { encoding: 'utf8' }) : 'null';
console.log(JSON.stringify({ types, client, compiled, used: JSON.parse(used) }));
