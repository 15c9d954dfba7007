import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../../../docs/reference/manifest/', import.meta.url);

/** The pages of the reference about the manifest, by name. */
export const MANIFEST_PAGES: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]),
);

export const MANIFEST_TEXT = [...MANIFEST_PAGES.values()].join('\n');
