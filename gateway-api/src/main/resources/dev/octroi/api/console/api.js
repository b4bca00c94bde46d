// The operator's interface. The token lives in this tab only, and leaves it in a header only.

const BASE = new URL('../admin/v1/', import.meta.url);
const KEPT = 'octroi.operator';

let token = sessionStorage.getItem(KEPT);
let wasTaken = token !== null;
let onSignedOut = () => {};
let onConnection = () => {};
let connected = true;
// Who is signed in, and what the role permits; asked once a session.
let me = null;

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function isSignedIn() {
  return token !== null;
}

export function whenSignedOut(listener) {
  onSignedOut = listener;
}

/** The listener is told when the gateway no longer answers, and when it does again. */
export function whenConnection(listener) {
  onConnection = listener;
}

function noteConnection(now) {
  if (now !== connected) {
    connected = now;
    onConnection(now);
  }
}

/** Takes a token if the gateway does; kept until the tab closes if that is wanted. */
export async function signIn(given, keep) {
  token = given;
  wasTaken = false;
  try {
    me = await get('operators/me');
    wasTaken = true;
  } catch (error) {
    token = null;
    throw error;
  }
  if (keep) {
    sessionStorage.setItem(KEPT, given);
  }
}

/** The operator: { name, role, may }. */
export async function operator(signal) {
  me ??= await get('operators/me', {}, signal);
  return me;
}

/** Why the operator may not change something; null where that is permitted. */
export function forbidden(what) {
  return me === null || me.may.includes(what) ? null : `The role ${me.role} does not permit this.`;
}

export function signOut(why) {
  token = null;
  me = null;
  wasTaken = false;
  sessionStorage.removeItem(KEPT);
  onSignedOut(why);
}

export function get(path, parameters = {}, signal) {
  const url = new URL(path, BASE);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') {
      url.searchParams.set(name, value);
    }
  }
  return call(url, { signal });
}

export function post(path, body = {}) {
  return send('POST', path, body);
}

export function put(path, body) {
  return send('PUT', path, body);
}

function send(method, path, body) {
  return call(new URL(path, BASE), {
    method,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
}

async function call(url, { headers = {}, ...rest }) {
  let answer;
  try {
    answer = await fetch(url, {
      ...rest,
      headers: { ...headers, Accept: 'application/json', Authorization: `Bearer ${token}` },
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
  } catch (error) {
    if (error.name === 'AbortError') {
      throw error;
    }
    noteConnection(false);
    throw new Refused(0, 'The gateway does not answer.');
  }
  noteConnection(true);
  document.getElementById('sandbox').hidden = !answer.headers.has('X-Sandbox');
  if (answer.ok) {
    return answer.json();
  }
  if ([502, 504].includes(answer.status)) {
    // A proxy answers for a gateway that is away.
    noteConnection(false);
  }
  const refusal = new Refused(answer.status, await sentence(answer));
  if (answer.status === 401 && wasTaken) {
    signOut('The token is no longer valid. Sign in again.');
  }
  throw refusal;
}

async function sentence(answer) {
  const wait = answer.headers.get('Retry-After');
  const later = wait ? ` Try again in ${wait} s.` : '';
  try {
    const { error } = await answer.json();
    return (typeof error === 'string' ? error : error.message) + later;
  } catch {
    return `The gateway refused: ${answer.status}.${later}`;
  }
}

/**
 * Does something now and again, but not while the page is hidden, until the signal ends it. What fails is done
 * again; that the connection is lost is shown at the top of the page.
 *
 * @param first after how many seconds it begins
 */
export function every(seconds, signal, work, first = 0) {
  const run = async () => {
    if (!document.hidden) {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof Refused) && error.name !== 'AbortError') {
          throw error;
        }
      }
    }
    if (!signal.aborted) {
      timer = setTimeout(run, seconds * 1000);
    }
  };
  let timer = setTimeout(run, first * 1000);
  signal.addEventListener('abort', () => clearTimeout(timer));
}
