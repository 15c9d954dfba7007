import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { importByManifest } from './import-by-manifest.ts';

const PAGE = new URL('../../../../docs/how-to/my-file-looks-like-this.md', import.meta.url);

type Described = {
  readonly title: string;
  readonly file: string;
  readonly declaration: string;
  readonly records: string;
};

/** A file, the lines of its dataset, and the records that follow from them, each in a block of its own. */
const TRIPLE = /```csv\n([^`]*?)```\n\n```yaml\n([^`]*?)```\n\n```csv\n([^`]*?)```/g;

function readPage(): readonly Described[] {
  const parts = readFileSync(PAGE, 'utf8').split(/^### /m).slice(1);
  return parts.flatMap((part) =>
    [...part.matchAll(TRIPLE)].map(([, file = '', declaration = '', records = '']) => ({
      title: part.split('\n', 1)[0] ?? '',
      file,
      declaration,
      records,
    })),
  );
}

const DESCRIBED = readPage();

test('each file of the page has its declaration and its records', () => {
  const blocks = readFileSync(PAGE, 'utf8').match(/^```csv$/gm) ?? [];
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

test('the page links to each of its parts', () => {
  const page = readFileSync(PAGE, 'utf8');
  const anchors = [...page.matchAll(/^### (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  const [introduction = assert.fail('The page is empty.')] = page.split('\n## ');
  const links = [...introduction.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
  expect(links).toEqual(anchors);
});
