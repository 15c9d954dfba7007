import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { DraftDataset } from '@locmetrics/ingest/draft/draft-dataset';
import type { DraftManifest } from '@locmetrics/ingest/draft/draft-manifest';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import type { Lists, Run, Switches, Texts } from '../../cli/define-command.ts';
import { draftFiles, SCHEMA_FILE } from './draft-files.ts';

/** Writes a first manifest for files, and tells what is to be decided in it. */
export const initAction: Run<
  Lists<'files'> & Texts<'output'> & Switches<'force' | 'schema'>
> = async (
  output,
  {
    files,
    output: target = 'locmetrics.yaml',
    force = false,
    schema: copiesSchema = false,
    settings,
  },
) => {
  const isPrinted = target === '-';
  const folder = isPrinted ? process.cwd() : dirname(resolve(target));
  const schema = copiesSchema ? SCHEMA_NAME : schemaPath(folder);
  const draft = await draftFiles(output, { files, folder, schema, settings });
  if (copiesSchema) await copyFile(SCHEMA_FILE, join(folder, SCHEMA_NAME));
  if (isPrinted) {
    output.data(draft.text);
    return;
  }
  await writeManifest(target, draft.text, force);
  output.messages(`Wrote ${target}:\n`);
  for (const dataset of draft.datasets) output.messages(`  ${summary(dataset)}\n`);
  const doubts = doubtLines(draft.text);
  if (doubts.length > 0) {
    output.messages(`\nCheck these places in it:\n`);
    for (const { line, text } of doubts) output.messages(`  ${target}:${line}: ${text}\n`);
  }
  output.messages(`\n${nextSteps(target, draft)}`);
};

const SCHEMA_NAME = 'locmetrics.schema.json';

/** A relative path in a project, which works for all who have it; or else that of this machine. */
function schemaPath(folder: string): string {
  const path = relative(folder, SCHEMA_FILE);
  const isNear = !isAbsolute(path) && path.split('..').length < 4;
  return isNear ? path : SCHEMA_FILE;
}

async function writeManifest(target: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(target, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw error;
    throw new PublishError(
      `${target} already exists and was not changed.`,
      'Write another file with --output FILE, print it with --output -, or replace it with --force.',
    );
  }
}

function summary({ name, files, rowCount, key, point, period }: DraftDataset): string {
  const rows = rowCount === 1 ? '1 row' : `${rowCount.toLocaleString('en-US')} rows`;
  const [first] = files;
  const file = files.length === 1 ? first?.file.label : `${files.length} files`;
  const parts = [
    `${name}: ${rows} of ${file}`,
    `key ${key.fields.join(', ')}`,
    ...(point === undefined ? [] : ['a point']),
    ...(period === undefined ? [] : [`periods ${period.start} to ${period.end}`]),
  ];
  return parts.join('; ');
}

/** The comments with CHECK, each with its line and in one piece. */
function doubtLines(text: string): readonly { readonly line: number; readonly text: string }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const [, first] = /^ *# CHECK: (.*)$/.exec(line) ?? [];
    if (first === undefined) return [];
    const rest: string[] = [];
    for (let next = index + 1; /^ *# {3}\S/.test(lines[next] ?? ''); next += 1) {
      rest.push((lines[next] ?? '').replace(/^ *# */, ''));
    }
    return { line: index + 1, text: [first, ...rest].join(' ') };
  });
}

function nextSteps(target: string, { datasets, text }: DraftManifest): string {
  const [first] = datasets;
  const name = first?.name ?? 'product.dataset';
  const product = name.split('.')[0] ?? 'product';
  const metrics = text.includes('\nmetrics:') ? `\n  locmetrics grant add mine "${product}/*"` : '';
  return `Next:
  locmetrics check ${target}    # reports all errors at once
  locmetrics publish ${target}
  locmetrics org create "My organisation" --id mine
  locmetrics grant add mine "${product}.*"${metrics}
  locmetrics token create --org mine --name first
  locmetrics serve
  curl -s http://127.0.0.1:8080/v3/catalog/listRecords \\
    -H "Authorization: Bearer TOKEN" -H "Content-Type: application/json" \\
    -d '{"dataReferenceName": "${name}", "pageSize": 3}'
`;
}
