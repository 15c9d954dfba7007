import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const CONTRACT = '@locmetrics/contract';

test('the table in ARCHITECTURE.md names every folder of the source, and no other', () => {
  const folders = new Set([...layers().keys()]);
  expect(new Set(sourceFiles().map(({ layer }) => layer))).toEqual(folders);
});

test('no file imports a layer that the table in ARCHITECTURE.md does not allow it', () => {
  const files = sourceFiles();
  const allowed = layers();
  const imports = files.flatMap(importsOf);

  // Without this check, the test would also pass if it found no imports.
  expect(files.length).toBeGreaterThan(60);
  expect(imports.length).toBeGreaterThan(200);
  expect(
    imports.filter(({ from, to }) => from !== to && !allowed.get(from)?.has(to)),
  ).toStrictEqual([]);
});

test('no row of the table in ARCHITECTURE.md allows an import that no file needs', () => {
  const needed = new Set(
    sourceFiles()
      .flatMap(importsOf)
      .map(({ from, to }) => `${from} → ${to}`),
  );
  const unused = [...layers()]
    .filter(([, allowed]) => allowed.size < layers().size)
    .flatMap(([from, allowed]) => [...allowed].map((to) => `${from} → ${to}`))
    .filter((row) => !needed.has(row));
  expect(unused).toStrictEqual([]);
});

test('every relative import names an existing file with its extension', () => {
  const known = new Set(
    readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|json)$/.test(name))
      .map((name) => join(SOURCE, name)),
  );
  const unknown = sourceFiles()
    .flatMap(({ path, specifiers }) => specifiers.map((specifier) => ({ path, specifier })))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .filter(({ path, specifier }) => !known.has(resolve(dirname(path), specifier)));
  expect(unknown).toStrictEqual([]);
});

test('no file imports itself by way of others, not even types', () => {
  const files = sourceFiles();
  const targets = new Map(
    files.map(({ path, specifiers }) => [
      path,
      specifiers
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => resolve(dirname(path), specifier)),
    ]),
  );
  // Files that import no remaining file are removed, until none is left but those of circles.
  for (let before = -1; before !== targets.size; ) {
    before = targets.size;
    for (const [path, imported] of targets) {
      if (!imported.some((one) => targets.has(one))) targets.delete(path);
    }
  }
  expect([...targets.keys()].map((path) => relative(SOURCE, path))).toStrictEqual([]);
});

type SourceFile = {
  readonly path: string;
  readonly layer: string;
  readonly specifiers: readonly string[];
};

/** Layer → layers it may import, from the table between the two marks. */
function layers(): ReadonlyMap<string, ReadonlySet<string>> {
  const text = readFileSync(join(REPOSITORY, 'ARCHITECTURE.md'), 'utf8');
  const table = /<!-- layers -->([\s\S]*?)<!-- \/layers -->/.exec(text)?.[1] ?? '';
  const rows = [...table.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)];
  const names = rows.map(([, name = '']) => name);
  return new Map(
    rows.map(([, name = '', cell = '']) => [
      name,
      new Set(
        cell.trim() === 'everything'
          ? [...names, CONTRACT]
          : [...cell.matchAll(/`([^`]+)`/g)].map(([, allowed = '']) =>
              allowed === 'contract' ? CONTRACT : allowed,
            ),
      ),
    ]),
  );
}

function sourceFiles(): readonly SourceFile[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const text = readFileSync(join(SOURCE, name), 'utf8');
      return {
        path: join(SOURCE, name),
        layer: layerOf(name),
        specifiers: [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
          ([, specifier = '']) => specifier,
        ),
      };
    });
}

function importsOf({ path, layer, specifiers }: SourceFile) {
  return specifiers.flatMap((specifier) => {
    const file = relative(SOURCE, path);
    if (specifier === CONTRACT || specifier.startsWith(`${CONTRACT}/`))
      return [{ file, from: layer, to: CONTRACT }];
    if (!specifier.startsWith('.')) return [];
    const target = relative(SOURCE, resolve(dirname(path), specifier));
    return target.startsWith('..') ? [] : [{ file, from: layer, to: layerOf(target) }];
  });
}

/** The innermost folder of a file that is a layer, or else its outermost folder. */
function layerOf(name: string): string {
  const folders = dirname(name).split(sep);
  const known = layers();
  while (folders.length > 1 && !known.has(folders.join('/'))) folders.pop();
  return folders[0] === '.' ? name : folders.join('/');
}
