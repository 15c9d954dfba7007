import { readFileSync } from 'node:fs';
import { METRIC_TABLE, type MetricRow } from '@locmetrics/server/observe/metric-table';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

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
