// Money is exact: amounts are decimal strings, and sums are whole numbers of millionths.
import { h } from './dom.js';

const MICROS = 1_000_000n;

/** Millionths of a dollar. */
export function micros(dollars) {
  const [whole, part = ''] = dollars.replace('-', '').split('.');
  const value = BigInt(whole) * MICROS + BigInt(part.padEnd(6, '0').slice(0, 6));
  return dollars.startsWith('-') ? -value : value;
}

/** With four digits behind the point at least, so that columns align, and with all that there are. */
export function dollars(value, least = 4) {
  const size = value < 0n ? -value : value;
  const part = (size % MICROS).toString().padStart(6, '0').replace(new RegExp(`0{1,${6 - least}}$`), '');
  const whole = (size / MICROS).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return `${value < 0n ? '−' : ''}$${whole}.${part}`;
}

/** An amount of the interface, or a dash. */
export function usd(text) {
  return text === null || text === undefined ? '–' : dollars(micros(text));
}

export function count(number) {
  return number.toLocaleString('en');
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };
const DAY = { year: 'numeric', month: 'short', day: 'numeric' };

/** A moment in local time, with UTC's when it is pointed at. */
export function when(text, options = {}) {
  if (!text) {
    return '–';
  }
  const at = new Date(text);
  const today = at.toDateString() === new Date().toDateString();
  const shown = at.toLocaleString('en', today && !options.day ? CLOCK : { ...DAY, ...CLOCK });
  return h('time', { datetime: text, title: `${text} (UTC)` }, shown);
}

/** Method and path of a call; a long path breaks after its slashes. */
export function call({ method, path }, href = null) {
  const parts = path.split(/(?<=\/)/).flatMap((part, place) => (place ? [h('wbr'), part] : [part]));
  return h(href ? 'a' : 'span', { class: 'call', href }, h('b', {}, method), ' ', parts);
}

/** The status of an answer. */
export function http(status) {
  return status ? `HTTP ${status}` : '–';
}

/** How long from one moment to another. */
export function between(from, to) {
  const millis = new Date(to) - new Date(from);
  if (millis < 1000) {
    return `${millis} ms`;
  }
  const seconds = millis / 1000;
  if (seconds < 120) {
    return `${seconds.toFixed(1)} s`;
  }
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** A long name by its two ends; the whole of it when it is pointed at. */
export function short(text) {
  if (!text) {
    return '–';
  }
  const cut = text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-4)}` : text;
  return h('code', { title: text, class: 'short' }, cut);
}

export function code(text) {
  return text ? h('code', {}, text) : '–';
}
