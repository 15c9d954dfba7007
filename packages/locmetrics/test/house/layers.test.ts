import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const CONTRACT = '@locmetrics/contract';

/** The packages of the service, in the order of the table: each may import those before it. */
const PACKAGES = [
  'core',
  'data-directory',
  'column-store',
  'row-store',
  'ingest',
  'server',
  'cluster',
  'locmetrics',
];

/** The tables of folders in ARCHITECTURE.md, by the name of their marks; and the sources, by the prefix of their names. */
const HOUSES = [
  {
    table: 'layers',
    roots: new Map(PACKAGES.map((name) => [`${name}/`, `packages/${name}/src`])),
  },
  { table: 'explorer-layers', roots: new Map([['', 'packages/explorer/src']]) },
];

describe.each(HOUSES)('$table', ({ table, roots }) => {
  const files = sourceFiles(roots);
  const names = new Set(files.map(({ name }) => name));
  const allowed = layers(table);
  const imports = files.flatMap(({ name, imported }) =>
    imported
      .filter((target) => target === CONTRACT || names.has(target))
      .map((to) => ({ file: name, from: layerOf(name, allowed), to: layerOf(to, allowed) })),
  );

  test('the table in ARCHITECTURE.md names every folder of the source, and no other', () => {
    expect(new Set([...names].map((name) => layerOf(name, allowed)))).toEqual(
      new Set(allowed.keys()),
    );
  });

  test('no file imports a layer that the table in ARCHITECTURE.md does not allow it', () => {
    // Without this check, the test would also pass if it found no imports.
    expect(files.length).toBeGreaterThan(20);
    expect(imports.length).toBeGreaterThan(30);
    expect(
      imports.filter(({ from, to }) => from !== to && !allowed.get(from)?.has(to)),
    ).toStrictEqual([]);
  });

  test('no row of the table in ARCHITECTURE.md allows an import that no file needs', () => {
    const needed = new Set(imports.map(({ from, to }) => `${from} → ${to}`));
    const unused = [...allowed]
      .filter(([, targets]) => targets.size < allowed.size)
      .flatMap(([from, targets]) => [...targets].map((to) => `${from} → ${to}`))
      .filter((row) => !needed.has(row));
    expect(unused).toStrictEqual([]);
  });

  test('every relative import names an existing file with its extension', () => {
    const unknown = files.flatMap(({ path, specifiers }) =>
      specifiers
        .filter((specifier) => specifier.startsWith('.'))
        // The address of a file of the page ends with `?url`.
        .filter((specifier) => !existsSync(resolve(dirname(path), specifier.replace(/\?url$/, ''))))
        .map((specifier) => ({ path, specifier })),
    );
    expect(unknown).toStrictEqual([]);
  });

  test('no file imports itself by way of others, not even types', () => {
    const targets = new Map(files.map(({ name, imported }) => [name, imported]));
    // Files that import no remaining file are removed, until none is left but those of circles.
    for (let before = -1; before !== targets.size; ) {
      before = targets.size;
      for (const [name, imported] of targets) {
        if (!imported.some((one) => targets.has(one))) targets.delete(name);
      }
    }
    expect([...targets.keys()]).toStrictEqual([]);
  });
});

test('a package of the service imports those before it', () => {
  const placeOf = (name: string): number => PACKAGES.indexOf(name.split('/')[0] ?? '');
  const [house] = HOUSES;
  const files = sourceFiles(house?.roots ?? new Map());
  expect(
    files.flatMap(({ name, imported }) =>
      imported.filter((target) => placeOf(target) > placeOf(name)).map((to) => ({ name, to })),
    ),
  ).toStrictEqual([]);
});

type SourceFile = {
  readonly path: string;
  /** How the table names it: `core/plan/read-plan.ts`. */
  readonly name: string;
  readonly specifiers: readonly string[];
  /** The names of what it imports, or the package of the contract. */
  readonly imported: readonly string[];
};

/** Layer → layers it may import, from the tables between the two marks. */
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

function sourceFiles(roots: ReadonlyMap<string, string>): readonly SourceFile[] {
  return [...roots].flatMap(([prefix, root]) =>
    readdirSync(join(REPOSITORY, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => {
        const path = join(REPOSITORY, root, file);
        const specifiers = [
          ...readFileSync(path, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g),
        ].map(([, specifier = '']) => specifier);
        const imported = specifiers.flatMap((specifier) => {
          if (specifier.startsWith('.')) {
            const target = relative(join(REPOSITORY, root), resolve(dirname(path), specifier));
            return target.startsWith('..') ? [] : [`${prefix}${target}`];
          }
          if (specifier === CONTRACT || specifier.startsWith(`${CONTRACT}/`)) return [CONTRACT];
          return specifier.startsWith('@locmetrics/')
            ? [`${specifier.slice('@locmetrics/'.length)}.ts`]
            : [];
        });
        return { path, name: `${prefix}${file}`, specifiers, imported };
      }),
  );
}

/** The innermost folder of a file that is a layer, or else its outermost folder; of a file in no folder, its name. */
function layerOf(name: string, known: ReadonlyMap<string, unknown>): string {
  if (name === CONTRACT || known.has(name)) return name;
  const folders = dirname(name).split(sep);
  while (folders.length > 1 && !known.has(folders.join('/'))) folders.pop();
  return folders[0] === '.' ? name : folders.join('/');
}
