import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const CONTRACT = '@locmetrics/contract';

/** The source folders whose parts ARCHITECTURE.md lists, each in a table between two marks of this name. */
const HOUSES = [
  { source: 'packages/server/src', table: 'layers' },
  { source: 'packages/explorer/src', table: 'explorer-layers' },
];

describe.each(HOUSES)('$source', ({ source, table }) => {
  test('the table in ARCHITECTURE.md names every folder of the source, and no other', () => {
    const folders = new Set([...layers(table).keys()]);
    expect(new Set(sourceFiles(source, table).map(({ layer }) => layer))).toEqual(folders);
  });

  test('no file imports a layer that the table in ARCHITECTURE.md does not allow it', () => {
    const files = sourceFiles(source, table);
    const allowed = layers(table);
    const imports = files.flatMap((file) => importsOf(file, source, table));

    // Without this check, the test would also pass if it found no imports.
    expect(files.length).toBeGreaterThan(20);
    expect(imports.length).toBeGreaterThan(30);
    expect(
      imports.filter(({ from, to }) => from !== to && !allowed.get(from)?.has(to)),
    ).toStrictEqual([]);
  });

  test('no row of the table in ARCHITECTURE.md allows an import that no file needs', () => {
    const needed = new Set(
      sourceFiles(source, table)
        .flatMap((file) => importsOf(file, source, table))
        .map(({ from, to }) => `${from} → ${to}`),
    );
    const unused = [...layers(table)]
      .filter(([, allowed]) => allowed.size < layers(table).size)
      .flatMap(([from, allowed]) => [...allowed].map((to) => `${from} → ${to}`))
      .filter((row) => !needed.has(row));
    expect(unused).toStrictEqual([]);
  });

  test('every relative import names an existing file with its extension', () => {
    const known = new Set(
      readdirSync(join(REPOSITORY, source), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|tsx|css|json)$/.test(name))
        .map((name) => join(REPOSITORY, source, name)),
    );
    const unknown = sourceFiles(source, table)
      .flatMap(({ path, specifiers }) => specifiers.map((specifier) => ({ path, specifier })))
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter(({ path, specifier }) => !known.has(resolve(dirname(path), specifier)));
    expect(unknown).toStrictEqual([]);
  });

  test('no file imports itself by way of others, not even types', () => {
    const files = sourceFiles(source, table);
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
    expect(
      [...targets.keys()].map((path) => relative(join(REPOSITORY, source), path)),
    ).toStrictEqual([]);
  });
});

type SourceFile = {
  readonly path: string;
  readonly layer: string;
  readonly specifiers: readonly string[];
};

/** Layer → layers it may import, from the table between the two marks. */
function layers(name: string): ReadonlyMap<string, ReadonlySet<string>> {
  const text = readFileSync(join(REPOSITORY, 'ARCHITECTURE.md'), 'utf8');
  const [, table = ''] = text.split(new RegExp(`<!-- /?${name} -->`));
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

function sourceFiles(source: string, table: string): readonly SourceFile[] {
  return readdirSync(join(REPOSITORY, source), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const text = readFileSync(join(REPOSITORY, source, name), 'utf8');
      return {
        path: join(REPOSITORY, source, name),
        layer: layerOf(name, table),
        specifiers: [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
          ([, specifier = '']) => specifier,
        ),
      };
    });
}

function importsOf({ path, layer, specifiers }: SourceFile, source: string, table: string) {
  return specifiers.flatMap((specifier) => {
    const file = relative(join(REPOSITORY, source), path);
    if (specifier === CONTRACT || specifier.startsWith(`${CONTRACT}/`))
      return [{ file, from: layer, to: CONTRACT }];
    if (!specifier.startsWith('.')) return [];
    const target = relative(join(REPOSITORY, source), resolve(dirname(path), specifier));
    return target.startsWith('..') ? [] : [{ file, from: layer, to: layerOf(target, table) }];
  });
}

/** The innermost folder of a file that is a layer, or else its outermost folder. */
function layerOf(name: string, table: string): string {
  const folders = dirname(name).split(sep);
  const known = layers(table);
  while (folders.length > 1 && !known.has(folders.join('/'))) folders.pop();
  return folders[0] === '.' ? name : folders.join('/');
}
