// The search vendor's SDK, unmodified: what it makes of the gateway, scenario by scenario.
// usage: node exa.mjs BASE API_KEY|x402
import { base, door, key, refused, tell } from './sdk-door.mjs';

// The SDK takes the fetch that there is when it is loaded.
const plain = globalThis.fetch;
globalThis.fetch = door;
const { default: Exa } = await import('exa-js');
globalThis.fetch = plain;

const exa = new Exa(key ?? 'none', `${base}/v1/marketplace/websearch`);
const refusedAs = async (call) => {
  let status = null;
  const seen = await refused(async () => {
    try {
      await call();
    } catch (error) {
      status = error.statusCode;
      throw error;
    }
  });
  return { ...seen, status };
};

await tell({
  search: async () => {
    const { results } = await exa.search('tidal power', { numResults: 3 });
    return { found: results.length, text: results[0].text, title: results[0].title, id: results[0].id };
  },
  searchAlone: async () => {
    const { results } = await exa.search('tidal power', { contents: false, includeDomains: ['wiki.example'] });
    return { hosts: [...new Set(results.map((one) => new URL(one.url).host))], text: results[0].text === undefined };
  },
  searchAndContents: async () => {
    const options = { text: { maxCharacters: 9 }, highlights: true, category: 'publication', type: 'auto' };
    const { results } = await exa.searchAndContents('micropayments', options);
    return { text: results[0].text, highlights: results[0].highlights.length, scores: results[0].highlightScores.length };
  },
  tool: async () => ({ said: await exa.tools.webSearch().run({ query: 'tidal power' }) }),
  answer: async () => {
    const { answer, citations } = await exa.answer('When may stablecoin holders redeem?', { text: true });
    return { answer, cited: citations[0].url, text: citations[0].text };
  },
  streamAnswer: async () => {
    let said = '';
    const cited = [];
    for await (const chunk of exa.streamAnswer('When may stablecoin holders redeem?')) {
      said += chunk.content ?? '';
      cited.push(...(chunk.citations ?? []));
    }
    return { said, cited: cited[0].url };
  },
  people: () => refusedAs(() => exa.search('x', { category: 'people', startPublishedDate: '2026-01-01' })),
  summary: () => refusedAs(() => exa.searchAndContents('x', { summary: true })),
  deep: () => refusedAs(() => exa.search('x', { type: 'deep' })),
  streamSearch: () => refusedAs(async () => { for await (const chunk of exa.streamSearch('x')) return chunk; }),
  getContents: () => refusedAs(() => exa.getContents(['https://wiki.example/Tidal_power'])),
  findSimilar: () => refusedAs(() => exa.findSimilar('https://wiki.example/Tidal_power')),
  unknownKey: () => refusedAs(() => new Exa('sk-unknown', `${base}/v1/marketplace/websearch`).search('x')),
});
