import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { draftFor, type Records } from './draft-under-test.ts';

export type FileContents = Readonly<Record<string, string | Uint8Array>>;

/** The text of a draft alone. */
export async function draftText(files: FileContents): Promise<string> {
  await using folder = scopedFolder();
  const { text } = await draftFor(folder.path, await writeFiles(folder.path, files));
  return text;
}

/** The lines of a draft, without the comments. */
export function declaredLines(text: string): string {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line));
  return lines.join('\n');
}

/** The comments with CHECK, each in one piece with the line below it. */
export function checks(text: string): readonly string[] {
  const joined = text.replaceAll(/\n *# {3}(?=\S)/g, ' ').split('\n');
  return joined.flatMap((line, index) => {
    const [, check] = /^ *# CHECK: (.*)$/.exec(line) ?? [];
    if (check === undefined) return [];
    const below = joined.slice(index).find((one) => !/^ *#/.test(one)) ?? '';
    return `${check} => ${below.trim()}`;
  });
}

/** The values of some fields, in the order of the records. */
export function valuesOfFields(
  rows: Records,
  fields: readonly string[],
): readonly (readonly (string | null)[])[] {
  return rows.map((row) => fields.map((field) => row[field] ?? null));
}

/** The sum of a field of the dataset whose name ends so. */
export function totalOf(
  records: ReadonlyMap<string, Records>,
  dataset: string,
  field: string,
): number {
  const [, rows = []] = [...records].find(([name]) => name.endsWith(`.${dataset}`)) ?? [];
  return rows.reduce((sum, row) => sum + Number(row[field] ?? 0), 0);
}

async function writeFiles(folder: string, files: FileContents): Promise<readonly string[]> {
  const paths = Object.keys(files).map((name) => join(folder, name));
  for (const [index, content] of Object.values(files).entries()) {
    await writeFile(paths[index] ?? '', content);
  }
  return paths;
}
