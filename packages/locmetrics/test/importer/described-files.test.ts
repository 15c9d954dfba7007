import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importByManifest } from './import-by-manifest.ts';

const INDEX = 'my-file-looks-like-this.md';
const PAGES = [INDEX, 'my-values-look-like-this.md', 'my-rows-look-like-this.md'];

const readPage = (name: string): string =>
  readFileSync(new URL(`../../../../docs/how-to/${name}`, import.meta.url), 'utf8');

type Described = {
  readonly title: string;
  readonly file: string;
  readonly declaration: string;
  readonly records: string;
};

/** A file, the lines of its dataset, and the records that follow from them, each in a block of its own. */
const TRIPLE = /```csv\n([^`]*?)```\n\n```yaml\n([^`]*?)```\n\n```csv\n([^`]*?)```/g;

function readDescribed(page: string): readonly Described[] {
  const parts = readPage(page).split(/^## /m).slice(1);
  return parts.flatMap((part) =>
    [...part.matchAll(TRIPLE)].map(([, file = '', declaration = '', records = '']) => ({
      title: part.split('\n', 1)[0] ?? '',
      file,
      declaration,
      records,
    })),
  );
}

const DESCRIBED = PAGES.flatMap(readDescribed);

test('each file of the pages has its declaration and its records', () => {
  const blocks = PAGES.flatMap((page) => readPage(page).match(/^```csv$/gm) ?? []);
  expect(DESCRIBED.length * 2).toBe(blocks.length);
  expect(DESCRIBED.length).toBeGreaterThan(20);
});

test.each(DESCRIBED)('$title', async ({ file, declaration, records }) => {
  const isLatin = declaration.includes('encoding: windows-1252');
  const content = isLatin ? Buffer.from(file, 'latin1') : file;
  const { columns, rows } = await importByManifest(`files: data.csv\n${declaration}`, {
    'data.csv': content,
  });
  const isField = columns.map((name) => !name.startsWith('_'));
  const lines = [columns, ...rows].map((line) =>
    line.filter((_, index) => isField[index]).map((value) => value ?? ''),
  );
  expect(lines.map((line) => line.join(','))).toEqual(records.trimEnd().split('\n'));
});

test('the first page links to each part of all pages', () => {
  const parts = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/^## (.*)$/gm)].map(([, title = '']) => {
      const anchor = title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
      return `${page === INDEX ? '' : page}#${anchor}`;
    }),
  );
  const [introduction = assert.fail('The page is empty.')] = readPage(INDEX).split('\n## ');
  const links = [...introduction.matchAll(/\]\(([^)]*#[^)]*)\)/g)].map(([, link]) => link);
  expect(links).toEqual(parts);
});
