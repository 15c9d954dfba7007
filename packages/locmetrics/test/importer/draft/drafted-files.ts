import { drafted } from './draft-under-test.ts';

/** Drafts and publishes files of these contents. The text of the draft has each comment on one line. */
export async function draftedFiles(files: Readonly<Record<string, string | Uint8Array>>) {
  const { text, ...published } = await drafted(files);
  return { ...published, text: text.replaceAll(/\n +# {3}/g, ' ') };
}
