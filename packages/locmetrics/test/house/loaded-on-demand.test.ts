import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));

/** The imports that Node follows when it loads a file: neither those of types nor those that are called. */
const LOADED = /^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)'/gm;

/** The libraries that are loaded with a file, by way of any files of the service. */
function librariesOf(entryPoint: string): ReadonlySet<string> {
  const libraries = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(LOADED)) {
      const target = fileOf(path, specifier);
      if (target === undefined) libraries.add(specifier);
      else visit(target);
    }
  };
  visit(resolve(SOURCE, entryPoint));
  return libraries;
}

function fileOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return resolve(dirname(path), specifier);
  const [scope, name, ...inside] = specifier.split('/');
  const file = `${PACKAGES}${name}/src/${inside.join('/')}.ts`;
  return scope === '@locmetrics' && existsSync(file) ? file : undefined;
}

const ENTRY_POINTS = [
  'worker.ts',
  'usage-thread.ts',
  'serving/serve-primary.ts',
  'commands/run/publish.ts',
  'commands/run/verify.ts',
];

test.each(ENTRY_POINTS)(
  '%s loads no database of several nodes before the settings name one',
  (entryPoint) => {
    const libraries = librariesOf(entryPoint);
    // Without this check, the test would also pass if it followed no import.
    expect([...libraries].some((name) => name.startsWith('node:'))).toBe(true);
    expect(libraries).not.toContain('pg');
    expect(libraries).not.toContain('@clickhouse/client');
  },
);

test.each(ENTRY_POINTS)('%s does not load the WebSocket of Node', (entryPoint) => {
  expect(librariesOf(entryPoint)).not.toContain('node:http');
});

test('the primary loads no engine, and no process reads YAML before there is a configuration file', () => {
  const primary = librariesOf('serving/serve-primary.ts');
  expect(primary).not.toContain('@duckdb/node-api');
  expect(primary).not.toContain('yaml');
  expect(librariesOf('worker.ts')).not.toContain('yaml');
});
