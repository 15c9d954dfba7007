import { readFileSync } from 'node:fs';
import { TABLE_FORMAT_NAMES, TABLE_FORMATS } from '@locmetrics/contract/table-formats';
import { FILE_FORMAT_NAMES, FILE_FORMATS } from '@locmetrics/ingest/manifest/file-formats';
import { manifestSchemaText } from '@locmetrics/ingest/manifest/manifest-schema';
import { expect, test } from 'vitest';
import { packageMap } from '../../scripts/package-map.ts';
import { referencePages } from '../../scripts/reference-pages.ts';
import { loadCommands } from '../../src/cli/command-list.ts';
import { COMMANDS } from '../../src/commands/all.ts';
import { SETTINGS } from '../../src/config/settings.ts';

test('locmetrics.schema.json equals the output of `npm run generate`', () => {
  expect(read('../../locmetrics.schema.json')).toBe(manifestSchemaText());
});

test('the pages with generated parts equal the output of `npm run generate`', async () => {
  const pages = await referencePages();
  expect(pages.length).toBeGreaterThan(10);
  for (const { path, text } of pages) expect(readFileSync(path, 'utf8')).toBe(text);
});

test('the picture of the packages equals the output of `npm run generate`', () => {
  const { path, text } = packageMap();
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('the page of the configuration has every setting, and the pages of the commands have every command once', async () => {
  const pages = await referencePages();
  const textOf = (name: string) => pages.find(({ path }) => path.endsWith(name))?.text ?? '';
  const configuration = textOf('configuration.md');
  const commandText = pages
    .filter(({ path }) => path.includes('/commands/'))
    .map(({ text }) => text);
  const flags = [...configuration.matchAll(/^\| `(--[a-z-]+)` \|/gm)].map((match) => match[1]);
  expect(flags).toStrictEqual(Object.values(SETTINGS).map(({ name }) => `--${name}`));
  const commands = [...commandText.join('\n').matchAll(/^## locmetrics (.+)$/gm)].map(
    (match) => match[1],
  );
  expect(commands.toSorted()).toStrictEqual([...(await loadCommands(COMMANDS)).keys()].toSorted());
});

test('the pages about usage and HTTP name every format of tables', () => {
  const [usage, http] = ['usage', 'http'].map((name) =>
    read(`../../../../docs/reference/${name}.md`),
  );
  for (const name of TABLE_FORMAT_NAMES) {
    const { title, mediaType } = TABLE_FORMATS[name];
    expect(usage).toContain(`\`${name}\``);
    expect(usage).toContain(`\`${mediaType}\``);
    expect(usage).toContain(`\n${title} follows `);
    expect(http).toContain(`\`${mediaType}\``);
  }
});

test('the page about files names every format of files, with the first end of their names', () => {
  const page = read('../../../../docs/reference/manifest/files.md');
  for (const name of FILE_FORMAT_NAMES) {
    const [suffix] = FILE_FORMATS[name].suffixes;
    expect(page).toContain(`\`${name}\``);
    expect(page).toMatch(new RegExp(`\`\\.${suffix}(\\.zip)?\``));
  }
});

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
