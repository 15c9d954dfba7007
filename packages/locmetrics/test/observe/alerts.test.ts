import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRIC_TABLE } from '@locmetrics/server/observe/metric-table';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', path), 'utf8');

type Rule = { readonly alert: string; readonly expr: string };
const rules: readonly Rule[] = parse(read('ops/prometheus/alerts.yaml')).groups.flatMap(
  (group: { readonly rules: readonly Rule[] }) => group.rules,
);
const page = read('docs/how-to/monitor.md');

test('the page names each alert once, and says how many there are', () => {
  const named = [...page.matchAll(/`(Locmetrics[A-Z]\w+)`/g)].map(([, name]) => name);
  expect([...new Set(named)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  expect(page).toContain(`has ${rules.length} rules`);
});

test('an alert asks for metrics of the table only', () => {
  const known = new Set(Object.keys(METRIC_TABLE).flatMap((name) => [name, `${name}_count`]));
  const asked = rules.flatMap(
    ({ expr }) => expr.match(/\b(?:locmetrics|http|rpc|nodejs)_\w+/g) ?? [],
  );
  expect(asked.length).toBeGreaterThan(rules.length - 2);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
});
