import { copyFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { DraftManifest } from '@locmetrics/ingest/draft/draft-manifest';
import { HOUR_CHOICES, type HourChoice } from '@locmetrics/ingest/draft/keys/find-hours';
import { escapeControls } from '@locmetrics/ingest/problems/import-error';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import type { Lists, Run, Switches, Texts } from '../../cli/define-command.ts';
import { draftFiles, SCHEMA_FILE } from './draft-files.ts';
import { doubtLines, doubtsOf, summaryLines } from './draft-summary.ts';
import { publishAction } from './publish.ts';

/** Writes a first manifest for files, and tells what is to be decided in it. */
export const initAction: Run<
  Lists<'files'> & Texts<'output' | 'sheet' | 'hours'> & Switches<'force' | 'schema' | 'publish'>
> = async (
  output,
  {
    files,
    output: target = 'locmetrics.yaml',
    force = false,
    schema: copiesSchema = false,
    publish: publishes = false,
    sheet,
    hours,
    settings,
  },
) => {
  const isPrinted = target === '-';
  if (isPrinted && publishes) {
    throw new PublishError(
      '--publish needs a manifest in a file, but --output - prints it.',
      'Leave out one of them.',
    );
  }
  const folder = isPrinted ? process.cwd() : dirname(resolve(target));
  const schema = copiesSchema ? SCHEMA_NAME : schemaPath(folder);
  const draft = await draftFiles(output, {
    files,
    folder,
    schema,
    sheet,
    hours: hourChoice(hours),
    settings,
  });
  if (copiesSchema) await copyFile(SCHEMA_FILE, join(folder, SCHEMA_NAME));
  if (isPrinted) {
    output.data(draft.text);
    return;
  }
  await writeManifest(target, draft.text, force);
  output.messages(`Wrote ${target}. It has:\n`);
  for (const line of summaryLines(draft)) output.messages(`  ${escapeControls(line)}\n`);
  const doubts = doubtsOf(draft.text);
  if (doubts.length > 0) {
    output.messages(`\nCheck these places in it:\n`);
    for (const line of doubtLines(target, doubts)) {
      output.messages(`  ${escapeControls(line)}\n`);
    }
  }
  if (!publishes) {
    output.messages(`\nNext:\n${publishSteps(target)}${serveSteps(draft)}`);
    return;
  }
  if (doubts.length > 0) {
    throw new PublishError(
      `Nothing was published, because ${doubts.length === 1 ? 'a place in the draft is' : `${doubts.length} places in the draft are`} doubtful.`,
      `Check ${doubts.length === 1 ? 'it' : 'them'} in ${target}, then run: locmetrics publish ${target}`,
    );
  }
  output.messages('\nNothing is doubtful. Publishing:\n');
  await publishAction(output, { settings, json: false, manifest: target, datasets: [] });
  output.messages(`\nNext:\n${serveSteps(draft)}`);
};

function hourChoice(hours: string | undefined): HourChoice | undefined {
  const found = HOUR_CHOICES.find((choice) => choice === hours);
  if (hours === undefined || found !== undefined) return found;
  throw new PublishError(
    `--hours ${hours} is unknown.`,
    `Write one of these: ${HOUR_CHOICES.map((choice) => `--hours ${choice}`).join(', ')}.`,
  );
}

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

function publishSteps(target: string): string {
  return `  locmetrics check ${target}    # reports all errors at once
  locmetrics publish ${target}
`;
}

function serveSteps({ datasets, metrics }: DraftManifest): string {
  const name = datasets[0]?.name ?? 'product.dataset';
  const product = name.split('.')[0] ?? 'product';
  const more = metrics.length === 0 ? '' : `  locmetrics grant add mine "${product}/*"\n`;
  return `  locmetrics org create "My organisation" --id mine
  locmetrics grant add mine "${product}.*"
${more}  locmetrics token create --org mine --name first
  locmetrics serve
  curl -s http://127.0.0.1:8080/v3/catalog/listRecords \\
    -H "Authorization: Bearer TOKEN" -H "Content-Type: application/json" \\
    -d '{"dataReferenceName": "${name}", "pageSize": 3}'
`;
}
