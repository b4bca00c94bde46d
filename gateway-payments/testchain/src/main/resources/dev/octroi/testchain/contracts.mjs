// Compiles contracts.sol into contracts.json, by contract: what it runs, and its creation code; only if the source has changed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync('contracts.sol', 'utf8');
if (!existsSync('contracts.json') || JSON.parse(readFileSync('contracts.json')).source !== source) {
  const solc = createRequire(import.meta.url)('solc');
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'contracts.sol': { content: source } },
        settings: {
          evmVersion: 'cancun',
          optimizer: { enabled: true, runs: 200 },
          outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } },
        },
      }),
    ),
  );
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error');
  if (errors.length > 0) {
    throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  }
  const contracts = {};
  for (const [name, contract] of Object.entries(output.contracts['contracts.sol'])) {
    contracts[name] = {
      creation: '0x' + contract.evm.bytecode.object,
      running: '0x' + contract.evm.deployedBytecode.object,
    };
  }
  writeFileSync('contracts.json', JSON.stringify({ source, contracts }));
}
