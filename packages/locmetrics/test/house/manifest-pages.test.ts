import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestSchemaText } from '@locmetrics/ingest/manifest/manifest-schema';
import { readManifest } from '@locmetrics/ingest/manifest/read-manifest';
import { expect, test } from 'vitest';
import { MANIFEST_TEXT } from '../support/manifest-pages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EXAMPLES = [...MANIFEST_TEXT.matchAll(/^```yaml\n(.*?)^```$/gms)].map(
  ([, text = '']) => text,
);

/** The keys of the JSON Schema, each with whether it is required: wherever it is, nowhere, or in some places. */
function listKeys(): ReadonlyMap<string, ReadonlySet<boolean>> {
  const keys = new Map<string, Set<boolean>>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const required = 'required' in node && Array.isArray(node.required) ? node.required : [];
    if ('properties' in node && typeof node.properties === 'object' && node.properties !== null) {
      for (const key of Object.keys(node.properties)) {
        const found = keys.get(key) ?? new Set();
        keys.set(key, found.add(required.includes(key)));
      }
    }
    for (const member of Object.values(node)) visit(member);
  };
  visit(JSON.parse(manifestSchemaText()));
  return keys;
}

test('the reference of the manifest names every key of the JSON Schema', () => {
  const missing = [...listKeys().keys()].filter((key) => !MANIFEST_TEXT.includes(`\`${key}\``));
  expect(missing).toEqual([]);
});

test('the reference of the manifest has every key in an example', () => {
  const missing = [...listKeys().keys()].filter(
    (key) => !new RegExp(`(^|[\\s{,-])${key}:`, 'm').test(EXAMPLES.join('\n')),
  );
  expect(missing).toEqual([]);
});

test('the whole manifests in the reference of the manifest are valid', async () => {
  const whole = EXAMPLES.filter((text) => text.startsWith('format: 1'));
  expect(whole.length).toBeGreaterThan(1);
  const folder = temporaryFolder();
  const path = join(folder, 'locmetrics.yaml');
  for (const text of whole) {
    await writeFile(path, text);
    expect((await readManifest(path)).datasets.length).toBeGreaterThan(0);
  }
});

test('keys that are required everywhere are bold in the reference of the manifest', () => {
  const required = [...listKeys()].filter(([, found]) => !found.has(false)).map(([key]) => key);
  expect(required.filter((key) => !MANIFEST_TEXT.includes(`**\`${key}\`**`))).toEqual([]);
  const optional = [...listKeys()].filter(([, found]) => !found.has(true)).map(([key]) => key);
  expect(optional.filter((key) => MANIFEST_TEXT.includes(`**\`${key}\`**`))).toEqual([]);
});
