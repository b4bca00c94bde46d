// Stacked bars over time, one colour a group; beside each stands the same as a table.
import { h } from './dom.js';

/** In the order of the specification, so that a group keeps its colour. */
const GROUPS = ['cryptodata', 'prediction', 'phone', 'voice', 'websearch', 'smartsearch', 'messages',
  'chat', 'music', 'images'];

/** Colours of what is no group. */
const COLOURS = {
  served: '--group-0', 'client error': '--group-1', 'server error': '--group-7', timeout: '--group-3',
  'payment refused': '--group-2', 'too many': '--group-8', 'caller gone': '--group-9', challenge: '--group-5',
  p50: '--group-0', p95: '--group-1', p99: '--group-7',
};

export function order(groups) {
  const place = (group) => (GROUPS.indexOf(group) + GROUPS.length + 1) % (GROUPS.length + 1);
  return [...groups].sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
}

function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function colour(group) {
  if (group in COLOURS) {
    return css(COLOURS[group]);
  }
  const place = GROUPS.indexOf(group);
  return css(place < 0 ? '--mute' : `--group-${place}`);
}

/**
 * @param series [{ group, values }]: a number for each label
 * @param said what the plot shows, in a sentence
 * @param unit makes a text of a value
 * @param whole whether values are whole numbers
 * @param type bar, or line for what does not add up
 */
export function bars({ labels, series, said, unit, signal, type = 'bar', whole = false }) {
  const canvas = h('canvas', { role: 'img', 'aria-label': said });
  const box = h('div', { class: 'plot' }, canvas);
  // A moment later, when it lies in the page and has a size.
  setTimeout(() => {
    if (signal.aborted) {
      return;
    }
    const chart = new globalThis.Chart(canvas, {
      type,
      data: { labels, datasets: series.map(({ group, values }) => ({ label: group, data: values })) },
      options: options(unit, type === 'bar', whole),
    });
    paint(chart);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', () => paint(chart), { signal });
    signal.addEventListener('abort', () => chart.destroy());
  });
  return box;
}

function options(unit, stacked, whole) {
  return {
    animation: false,
    font: { family: 'system-ui, sans-serif', size: 12 },
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: { stacked, grid: { display: false }, ticks: { maxRotation: 0, autoSkipPadding: 16 } },
      y: { stacked, beginAtZero: true, border: { display: false }, ticks: { maxTicksLimit: 5, callback: unit, ...(whole ? { precision: 0 } : {}) } },
    },
    plugins: {
      legend: { position: 'bottom', align: 'start', labels: { boxWidth: 12, boxHeight: 12, padding: 14 } },
      tooltip: {
        filter: (item) => item.parsed.y > 0,
        callbacks: { label: (item) => ` ${item.dataset.label}: ${unit(item.parsed.y)}` },
      },
    },
  };
}

function paint(chart) {
  const text = css('--soft');
  for (const set of chart.data.datasets) {
    set.backgroundColor = colour(set.label);
    set.borderColor = colour(set.label);
    set.pointRadius = 2;
    set.maxBarThickness = 36;
  }
  for (const axis of Object.values(chart.options.scales)) {
    axis.ticks.color = text;
    axis.grid.color = css('--line');
  }
  chart.options.plugins.legend.labels.color = text;
  chart.update();
}
