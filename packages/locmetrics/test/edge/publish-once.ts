import { deepEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { Published } from '@locmetrics/ingest/publish/publish-datasets';
import { makeOnce } from '../support/make-once.ts';

/**
 * Publishes into a data directory. The first publish of a directory is copied if the same content was
 * published before in this run: dozens of test files begin with the same data.
 */
export async function publishOnce(
  directory: DataDirectory,
  /** Everything that the result follows from. */
  content: readonly unknown[],
  publish: () => Promise<Published>,
): Promise<Published> {
  if (existsSync(directory.current)) return publish();
  const name = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const { path, made } = await makeOnce(name, async (draft) => {
    const published = await publish();
    await keep(directory, published, draft);
    return published;
  });
  if (made !== undefined) return made;
  await copyPublished(path, directory.root);
  return JSON.parse(await readFile(join(path, 'published.json'), 'utf8'));
}

async function keep(directory: DataDirectory, published: Published, draft: string): Promise<void> {
  const text = JSON.stringify(published);
  // A copy returns the result as JSON.
  deepEqual(JSON.parse(text), published);
  await copyPublished(directory.root, draft);
  await writeFile(join(draft, 'published.json'), text);
}

async function copyPublished(from: string, to: string): Promise<void> {
  await cp(join(from, 'versions'), join(to, 'versions'), { recursive: true });
  await cp(join(from, 'current.json'), join(to, 'current.json'));
}
