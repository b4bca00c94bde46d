// The chain's virtual machine behind the part of its JSON-RPC that payments need; prints {"port":n} once it listens.
// Blocks come only when test_blocks asks for them: a blockhash lives 150 blocks, 32 blocks later a block is final.
// Methods that begin with test_ set up accounts and make the node misbehave.
import { createServer } from 'node:http';
import { LiteSVM, FailedTransactionMetadata } from 'litesvm';
import { createHash } from 'node:crypto';
import {
  address,
  getAddressEncoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  verifySignature,
} from '@solana/kit';
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';

const LIFE = 150;
const FINAL = 32;
const FIELDLESS = { 2: 'AccountNotFound', 3: 'ProgramAccountNotFound', 4: 'InsufficientFundsForFee', 6: 'AlreadyProcessed', 7: 'BlockhashNotFound' };
const svm = new LiteSVM().withTransactionHistory(0n).withBlockhashCheck(false);
const hashes = new Map(); // blockhash -> height
const landed = new Map(); // signature -> {err, height, pre, post, hidden}
let height = 1000;
let lacking = [0, 0]; // heights whose blocks this node has never had, from and to, as after a start from a snapshot
let ills = {}; // method -> what is wrong with it
let waiting = [];
let sends = 0;

function newBlock() {
  height += 1;
  hashes.set(getBase58Decoder().decode(createHash('sha256').update('block' + height).digest()), height);
}
newBlock();

const latest = () => [...hashes].at(-1)[0];
const lives = (hash, at) => hashes.has(hash) && hashes.get(hash) <= at && at - hashes.get(hash) <= LIFE;
const bytes = (text) => new Uint8Array(getAddressEncoder().encode(address(text)));
const slotOf = (block) => block + Math.floor(block / 10); // every eleventh slot has no block
const lacks = (block) => block >= lacking[0] && block < lacking[1];
const context = () => ({ slot: slotOf(height) });
const fail = (code, message, data) => Object.assign(new Error(message), { code, data });

function account(key, encoding) {
  const found = svm.getAccount(address(key));
  if (!found.exists) return null;
  return {
    data: [Buffer.from(found.data).toString('base64'), 'base64'],
    executable: found.executable,
    lamports: Number(found.lamports),
    owner: found.programAddress,
    rentEpoch: 0,
    space: found.data.length,
  };
}

function set(key, owner, data) {
  svm.setAccount({
    address: address(key),
    programAddress: address(owner),
    lamports: svm.minimumBalanceForRentExemption(BigInt(data.length)),
    executable: false,
    space: BigInt(data.length),
    data: new Uint8Array(data),
  });
}

function errorOf(err) {
  if (typeof err === 'number') return FIELDLESS[err] ?? `Error${err}`;
  if (typeof err.index === 'number') {
    const inner = err.err();
    return { InstructionError: [err.index, typeof inner === 'number' ? `Error${inner}` : { Custom: inner.code }] };
  }
  return err.toString();
}

function read(base64) {
  const transaction = getTransactionDecoder().decode(Buffer.from(base64, 'base64'));
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  const signature = Object.values(transaction.signatures)[0];
  return { transaction, message, raw: base64, id: signature ? getBase58Decoder().decode(signature) : null };
}

const processed = (transaction) => [...landed.values()].some((known) => Buffer.compare(known.message, Buffer.from(transaction.messageBytes)) === 0);

function simulated({ transaction, message }) {
  if (!lives(message.lifetimeToken, height)) return { err: 'BlockhashNotFound', logs: [] };
  if (processed(transaction)) return { err: 'AlreadyProcessed', logs: [] };
  svm.withSigverify(false);
  const result = svm.simulateTransaction(transaction);
  svm.withSigverify(true);
  return result instanceof FailedTransactionMetadata
    ? { err: errorOf(result.err()), logs: result.meta().logs() }
    : { err: null, logs: result.meta().logs(), posts: result.postAccounts() };
}

function balances(message) {
  return message.staticAccounts.flatMap((key, accountIndex) => {
    const found = svm.getAccount(key);
    if (!found.exists || found.programAddress !== TOKEN_PROGRAM_ADDRESS || found.data.length !== 165) return [];
    const data = Buffer.from(found.data);
    const text = (from) => getBase58Decoder().decode(data.subarray(from, from + 32));
    return [{ accountIndex, mint: text(0), owner: text(32), programId: TOKEN_PROGRAM_ADDRESS, uiTokenAmount: { amount: data.readBigUInt64LE(64).toString(), decimals: 6 } }];
  });
}

function land({ transaction, message, raw, id }) {
  if (landed.has(id) || !lives(message.lifetimeToken, height)) return;
  const pre = balances(message);
  const result = svm.sendTransaction(transaction);
  const err = result instanceof FailedTransactionMetadata ? errorOf(result.err()) : null;
  landed.set(id, { err, height, raw, pre, post: balances(message), message: Buffer.from(transaction.messageBytes), keys: message.staticAccounts });
}

async function requireSigned({ transaction }) {
  for (const [signer, signature] of Object.entries(transaction.signatures)) {
    if (!signature || !(await verifySignature(await getPublicKeyFromAddress(address(signer)), signature, transaction.messageBytes))) {
      throw fail(-32003, 'Transaction signature verification failure');
    }
  }
}

function status(id, history) {
  const known = landed.get(id);
  if (!known || lacks(known.height) || ['blind', 'behind'].includes(ills.getSignatureStatuses) || (!history && height - known.height > LIFE)) return null;
  const final = height - known.height >= FINAL;
  return { slot: slotOf(known.height), confirmations: final ? null : 1, err: known.err, status: known.err ? { Err: known.err } : { Ok: null }, confirmationStatus: final ? 'finalized' : 'confirmed' };
}

const at = (config) => (config?.commitment === 'finalized' ? height - FINAL : height);

const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'; // of the main network

const OTHER_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'; // of a test network

const methods = {
  getGenesisHash: () => (ills.getGenesisHash === 'other' ? OTHER_GENESIS : GENESIS),
  getLatestBlockhash: () => ({ context: context(), value: { blockhash: latest(), lastValidBlockHeight: height + LIFE } }),
  getBlockHeight: ([config]) => at(config),
  getEpochInfo: ([config]) => ({ absoluteSlot: slotOf(at(config)), blockHeight: at(config) }),
  getBlocksWithLimit: ([start, limit, config]) => {
    const blocks = [];
    for (let block = Math.floor((start * 10) / 11); block <= at(config) && blocks.length < limit; block += 1) {
      if (slotOf(block) >= start && !lacks(block)) blocks.push(slotOf(block));
    }
    return blocks;
  },
  getBlock: ([slot, config]) => {
    const block = Math.ceil((slot * 10) / 11);
    if (slotOf(block) !== slot || block > at(config) || lacks(block)) throw fail(-32007, `Slot ${slot} was skipped, or missing`);
    return { blockHeight: block, blockTime: 0, parentSlot: slotOf(block - 1) };
  },
  isBlockhashValid: ([hash, config]) => {
    if ((config?.minContextSlot ?? 0) > slotOf(at(config))) throw fail(-32016, 'Minimum context slot has not been reached');
    return { context: context(), value: lives(hash, at(config)) };
  },
  getBalance: ([key]) => ({ context: context(), value: Number(svm.getBalance(address(key)) ?? 0n) }),
  getAccountInfo: ([key]) => ({ context: context(), value: account(key) }),
  getMultipleAccounts: ([keys]) => ({ context: context(), value: keys.map((key) => account(key)) }),
  simulateTransaction: ([text, config]) => {
    const { err, logs, posts } = simulated(read(text));
    const wanted = config?.accounts?.addresses;
    const shown = (key) => {
      const found = posts?.find((post) => post.address === key);
      return found ? { data: [Buffer.from(found.data).toString('base64'), 'base64'], owner: found.programAddress, lamports: Number(found.lamports), executable: false, rentEpoch: 0 } : null;
    };
    return { context: context(), value: { err, logs, unitsConsumed: 0, accounts: wanted ? wanted.map(shown) : null } };
  },
  sendTransaction: async ([text, config]) => {
    const sent = read(text);
    sends += 1;
    await requireSigned(sent);
    if (!config?.skipPreflight) {
      const { err, logs } = simulated(sent);
      if (err) throw fail(-32002, 'Transaction simulation failed', { err, logs });
    }
    if (ills.sendTransaction === 'lose') return sent.id;
    if (ills.sendTransaction === 'hold') waiting.push(sent);
    else land(sent);
    if (ills.sendTransaction === 'hang') return new Promise(() => {});
    return sent.id;
  },
  getSignatureStatuses: ([ids, config]) => ({ context: ills.getSignatureStatuses === 'behind' ? { slot: 1000 } : context(), value: ids.map((id) => status(id, config?.searchTransactionHistory)) }),
  getTransaction: ([id, config]) => {
    const known = landed.get(id);
    const carried = config?.encoding === 'base64' ? [known?.raw, 'base64'] : { message: { accountKeys: known?.keys } };
    return known && !lacks(known.height)
      ? { slot: slotOf(known.height), blockTime: 0, meta: { err: known.err, fee: 10000, preTokenBalances: known.pre, postTokenBalances: known.post }, transaction: carried }
      : null;
  },
  test_blocks: ([count]) => {
    for (let i = 0; i < count; i += 1) newBlock();
    return height;
  },
  test_lack: ([from, to]) => {
    lacking = [from, to];
    return true;
  },
  test_mint: ([mint]) => {
    const data = Buffer.alloc(82);
    data.writeBigUInt64LE(1n << 50n, 36);
    data[44] = 6;
    data[45] = 1;
    set(mint, TOKEN_PROGRAM_ADDRESS, data);
    return true;
  },
  test_tokens: async ([owner, mint, amount]) => {
    const [place] = await findAssociatedTokenPda({ owner: address(owner), mint: address(mint), tokenProgram: TOKEN_PROGRAM_ADDRESS });
    const data = Buffer.alloc(165);
    data.set(bytes(mint), 0);
    data.set(bytes(owner), 32);
    data.writeBigUInt64LE(BigInt(amount), 64);
    data[108] = 1;
    set(place, TOKEN_PROGRAM_ADDRESS, data);
    return place;
  },
  test_lamports: ([owner, amount]) => {
    const none = { programAddress: address('11111111111111111111111111111111'), executable: false, space: 0n, data: new Uint8Array(0) };
    svm.setAccount({ address: address(owner), lamports: BigInt(amount), ...none });
    return true;
  },
  test_ill: ([method, what]) => {
    if (what) ills[method] = what;
    else delete ills[method];
    if (method === 'sendTransaction' && !what) waiting.splice(0).forEach(land);
    return true;
  },
  test_landed: () => landed.size,
  test_sent: () => sends,
};

async function answer(request) {
  const ill = ills[request.method];
  if (ill === 'error') return { error: { code: -32603, message: 'internal error at node-7.example' } };
  if (ill === 'rubbish') return { result: 'what?' };
  if (!methods[request.method]) return { error: { code: -32601, message: 'Method not found' } };
  try {
    return { result: await methods[request.method](request.params ?? []) };
  } catch (e) {
    return { error: { code: e.code ?? -32603, message: e.message, data: e.data } };
  }
}

const plain = (key, value) => (typeof value === 'bigint' ? Number(value) : value);
const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', async () => {
    const call = JSON.parse(Buffer.concat(parts).toString());
    if (ills[call.method] === 'reset') return request.socket.destroy();
    const said = JSON.stringify({ jsonrpc: '2.0', id: call.id, ...(await answer(call)) }, plain);
    response.writeHead(200, { 'content-type': 'application/json' }).end(said);
  });
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
process.stdin.on('end', () => process.exit(0)).resume();
