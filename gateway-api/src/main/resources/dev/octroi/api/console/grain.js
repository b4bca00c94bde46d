// How fine time is plotted: the longer the span, the coarser, so that bars stay wide enough to read.
import { button, h } from './dom.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Spans of time that pages offer, each with its grain; step is what is asked of the interface. */
export const SPANS = {
  day: { name: '24 hours', grain: 'hour', step: 'hour', millis: DAY },
  week: { name: '7 days', grain: 'day', step: 'day', millis: 7 * DAY },
  month: { name: '30 days', grain: 'day', step: 'day', millis: 30 * DAY },
  quarter: { name: '90 days', grain: 'week', step: 'day', millis: 90 * DAY },
  // With the days of its first month this is a year, which is as long as the interface tells.
  year: { name: '12 months', grain: 'month', step: 'day', millis: 334 * DAY },
};

/** The begin of the hour, or of the day, week (Monday) or month of UTC, that a moment lies in. */
export function floor(at, grain) {
  if (grain === 'hour') {
    return Math.floor(at / HOUR) * HOUR;
  }
  const date = new Date(at);
  const back = grain === 'week' ? (date.getUTCDay() + 6) % 7 : 0;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), grain === 'month' ? 1 : date.getUTCDate() - back);
}

function next(at, grain) {
  const date = new Date(at);
  return grain === 'hour' ? at + HOUR
    : grain === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
      : at + (grain === 'week' ? 7 : 1) * DAY;
}

/** When a span begins that ends now: whole steps, so that the first bar is not half of one. */
export function begin(span) {
  return floor(floor(Date.now() - span.millis, span.step) + (span.step === 'hour' ? HOUR : DAY), span.grain);
}

/** The begins of all steps of a span until now. */
export function steps(span, from) {
  const found = [];
  for (let at = floor(from, span.grain); at < Date.now(); at = next(at, span.grain)) {
    found.push(at);
  }
  return found;
}

export function label(at, grain) {
  const date = new Date(at);
  return grain === 'hour'
    ? date.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    : date.toLocaleDateString('en', { month: 'short', ...(grain === 'month' ? { year: 'numeric' } : { day: 'numeric' }), timeZone: 'UTC' });
}

/** Buttons of which one is chosen. */
export function spans(choices, chosen, onchoose) {
  const buttons = choices.map((span) => button(span.name, () => {
    buttons.forEach((one, at) => one.setAttribute('aria-pressed', choices[at] === span));
    onchoose(span);
  }));
  buttons.forEach((one, at) => one.setAttribute('aria-pressed', choices[at] === chosen));
  return h('div', { class: 'choice', role: 'group', 'aria-label': 'Period' }, buttons);
}
