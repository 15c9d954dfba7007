import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const TESTS = join(import.meta.dirname, '..');

/** A helper that so many other folders use is one that a new test needs too. */
const FOLDERS_MIN = 4;

test('support/README.md names every helper that tests of four other folders use', () => {
  const page = readFileSync(join(TESTS, 'support/README.md'), 'utf8');
  const users = new Map<string, Set<string>>();
  for (const path of globSync('**/*.ts', { cwd: TESTS })) {
    const text = readFileSync(join(TESTS, path), 'utf8');
    for (const [, named = ''] of text.matchAll(/ from '(\.[^']+)'/g)) {
      const helper = relative(TESTS, join(TESTS, dirname(path), named));
      if (helper.startsWith('..') || folderOf(helper) === folderOf(path)) continue;
      users.set(helper, (users.get(helper) ?? new Set()).add(folderOf(path)));
    }
  }
  const missing = [...users]
    .filter(([helper, folders]) => folders.size >= FOLDERS_MIN && folderOf(helper) !== 'support')
    .map(([helper]) => helper)
    .filter((helper) => !page.includes(`(../${helper})`));
  expect(users.size).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}
