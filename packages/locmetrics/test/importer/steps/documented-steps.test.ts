import { expect, test } from 'vitest';
import { MANIFEST_PAGES } from '../../support/manifest-pages.ts';
import { valuesOf } from '../import-by-manifest.ts';

const EXAMPLES = ['steps.md', 'aggregate.md', 'join.md', 'sql.md'].flatMap((page) =>
  (MANIFEST_PAGES.get(page) ?? '')
    .split(/^#{1,2} /m)
    .filter((section) => section.includes('\nAfter the step'))
    .map((section) => ({ name: `${page}: ${section.split('\n')[0]}`, section })),
);

test('the pages about steps have an example of each step', () => {
  expect(EXAMPLES.map(({ name }) => name)).toEqual([
    'steps.md: where',
    'steps.md: fill_down',
    'steps.md: unpivot',
    'steps.md: unpivot a list',
    'steps.md: unpivot a map',
    'steps.md: duplicates',
    'aggregate.md: Aggregate rows',
    'aggregate.md: Add totals',
    'join.md: Join a file',
    'sql.md: SQL steps',
  ]);
});

test.each(EXAMPLES)(
  'the rows after the documented step are those of a publish: $name',
  async ({ section }) => {
    const [before = '', after = ''] = section.split('\nAfter the step');
    const files = [...before.matchAll(/`(\w+\.csv)`(?:(?!```)[\s\S])*?```csv\n([\s\S]*?)```/g)].map(
      ([, name = '', rows = '']) => [name, rows] as const,
    );
    const [, declared = ''] = /```yaml\n([\s\S]*?)```/.exec(before) ?? [];
    const [, result = ''] = /```csv\n([\s\S]*?)```/.exec(after) ?? [];
    const [header = '', ...lines] = result.trim().split('\n');
    const columns = header.split(',');
    const expected = lines.map((line) =>
      line.split(',').map((text) => (text === '' ? null : text)),
    );
    const filled = columns.filter((_, index) => expected.every((row) => row[index] !== null));
    const others = [
      ['key', `key: [${filled.join(', ')}]`],
      ['fields', ['fields:', ...columns.map((name) => `  ${name}: { type: string }`)].join('\n')],
    ].flatMap(([key, text]) => (declared.includes(`\n${key}:`) ? [] : [text]));
    const rows = await valuesOf(
      [`files: ${files[0]?.[0]}`, declared, ...others].join('\n'),
      Object.fromEntries(files),
    );
    expect(rows.toSorted()).toEqual(expected.toSorted());
  },
);
