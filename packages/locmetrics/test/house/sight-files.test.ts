import { readFileSync } from 'node:fs';
import { LOG_TABLE } from '@locmetrics/server/observe/log-table';
import { METRIC_TABLE, type MetricRow } from '@locmetrics/server/observe/metric-table';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

test('the reference of metrics lists every metric with its type, labels and meaning, and no other', () => {
  const rows = [...read('docs/reference/metrics.md').matchAll(METRIC_ROW)].map(
    ([, name, type, labels = '', merge, help]) => ({
      name,
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
      merge,
      help,
    }),
  );
  const table = Object.entries(METRIC_TABLE).map(([name, row]) => ({ name, ...row }));
  expect(rows).toStrictEqual(table);
});

test('the reference of the log lists every kind of observation with its level and meaning, and no other', () => {
  const rows = [...read('docs/reference/logs.md').matchAll(LOG_ROW)].map(
    ([, kind, level, meaning]) => ({ kind, level, meaning }),
  );
  const table = Object.entries(LOG_TABLE).map(([kind, { level, meaning }]) => ({
    kind,
    level,
    meaning,
  }));
  expect(rows).toStrictEqual(table);
});

test.each(['ops/grafana/locmetrics.json', 'ops/prometheus/alerts.yaml', 'docs/how-to/monitor.md'])(
  '%s names only existing metrics',
  (file) => {
    const names = [...read(file).matchAll(NAME)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !exposed.has(name))).toStrictEqual([]);
  },
);

test('every label in selectors of the dashboard and the alerts is a label of the metric', () => {
  const text = `${read('ops/grafana/locmetrics.json')}\n${read('ops/prometheus/alerts.yaml')}`;
  const selectors = [
    ...text.matchAll(/\b((?:http|rpc|locmetrics|process|nodejs)_\w+)\{([^}]*)\}/g),
  ];
  expect(selectors.length).toBeGreaterThan(5);
  const unknown = selectors.flatMap(([, name = '', selector = '']) =>
    [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)/g)]
      .map(([, label = '']) => label)
      .filter((label) => !SCRAPE_LABELS.has(label) && !exposed.get(name)?.labels.includes(label))
      .map((label) => `${name}{${label}}`),
  );
  expect(unknown).toStrictEqual([]);
});

test('every alert has a summary and a description of what to do', () => {
  const { groups } = parse(read('ops/prometheus/alerts.yaml'));
  const rules = groups.flatMap((group: { rules: unknown }) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  for (const rule of rules) {
    expect(rule).toMatchObject({
      alert: expect.stringMatching(/^Locmetrics[A-Z]/),
      expr: expect.any(String),
      labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
      annotations: { summary: expect.any(String), description: expect.any(String) },
    });
  }
});

const METRIC_ROW =
  /^\| `((?:http|rpc|locmetrics|process|nodejs)_\w+)` \| (\w+) \| ([^|]*) \| (\w+) \| (.+) \|$/gm;
const LOG_ROW = /^\| `(\w+)` \| (error|warn|info|none) \| (.+) \|$/gm;
const NAME = /\b(?:http_server|rpc_server|locmetrics|process|nodejs)_[a-z0-9_]+\b/g;

/** Labels that Prometheus adds to scraped metrics. */
const SCRAPE_LABELS: ReadonlySet<string> = new Set(['job', 'instance', 'le']);

/** Every possible name in a scrape, with its row. */
const exposed: ReadonlyMap<string, MetricRow> = new Map(
  Object.entries(METRIC_TABLE).flatMap(([name, row]: [string, MetricRow]) =>
    row.type === 'histogram'
      ? [`${name}_bucket`, `${name}_sum`, `${name}_count`].map((part) => [part, row] as const)
      : [[name, row] as const],
  ),
);

function read(path: string): string {
  return readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
}
