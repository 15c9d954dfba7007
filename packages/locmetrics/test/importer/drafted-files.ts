import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scopedFolder } from '../support/temporary-folder.ts';
import { draftFor, publishDraft } from './draft-under-test.ts';

/** Drafts and publishes files of these contents. The text of the draft has each comment on one line. */
export async function draftedFiles(files: Readonly<Record<string, string | Uint8Array>>) {
  await using folder = scopedFolder();
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder.path, name), content);
  }
  const paths = Object.keys(files).map((name) => join(folder.path, name));
  const draft = await draftFor(folder.path, paths);
  const published = await publishDraft(folder.path, draft);
  const [rows = []] = published.records.values();
  return { text: draft.text.replaceAll(/\n +# {3}/g, ' '), rows, ...published };
}
