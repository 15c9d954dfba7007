import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Field } from '@locmetrics/core/domain/field';
import { versionName } from '@locmetrics/core/domain/version-name';
import { writeDurably } from '@locmetrics/data-directory/files/durable-file';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { REPORT_FILE, VERSION_FILE } from '@locmetrics/data-directory/versions/data-directory';
import {
  lastSwitch,
  type Switch,
  switchTo,
} from '@locmetrics/data-directory/versions/switch-versions';
import type { VersionFile } from '@locmetrics/data-directory/versions/version-file';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import type { VersionStore } from '@locmetrics/data-directory/versions/version-store';

/** Publishes versions without rows, one of each dataset, in one switch; returns it with their names. */
export async function publishSmall(
  store: VersionStore,
  datasetNames: readonly string[],
  {
    by = '',
    timeMs = Date.now(),
  }: {
    readonly by?: string;
    readonly timeMs?: number;
  } = {},
): Promise<Switch> {
  const { temporary } = store.directory;
  await mkdir(temporary, { recursive: true });
  const workspace = await mkdtemp(join(temporary, 'publish-'));
  const added: (LeasedVersion & { readonly folder: string })[] = [];
  for (const datasetName of datasetNames) {
    added.push(await writeSmall(join(workspace, datasetName), { datasetName, by, timeMs }));
  }
  await store.announce(added);
  return store.whileNoneSwitches(async ({ current, replaceCurrent }) => {
    const versions = new Map(added.map(({ datasetName, version }) => [datasetName, version]));
    const next = switchTo(current(), versions, { by: 'publish', now: timeMs });
    await replaceCurrent(next, { added });
    return lastSwitch(next);
  });
}

let made = 0;

async function writeSmall(
  folder: string,
  {
    datasetName,
    by,
    timeMs,
  }: { readonly datasetName: string; readonly by: string; readonly timeMs: number },
) {
  await mkdir(folder);
  made += 1;
  const digest = createHash('sha256').update(`${datasetName} ${by} ${process.pid} ${made}`);
  const publishedTime = new Date(timeMs).toISOString();
  const version = versionName(publishedTime, digest.digest('hex'));
  const report = `${JSON.stringify({ dataset: datasetName, version, by })}\n`;
  await writeFile(join(folder, REPORT_FILE), report);
  const sha256 = createHash('sha256').update(report).digest('hex');
  const file: VersionFile = {
    format: 1,
    version: {
      dataset: { ...NOTHING_SAID, name: datasetName, key: ['id'], fields: [ID] },
      layers: [],
      metrics: [],
      version,
      publishedTime,
      rowCount: made,
    },
    files: { [REPORT_FILE]: { bytes: report.length, sha256 } },
    sources: [],
  };
  await writeDurably(join(folder, VERSION_FILE), sealedText(file));
  return { datasetName, version, folder };
}

const NOTHING_SAID = {
  productDisplayName: '',
  productDescription: '',
  displayName: '',
  description: '',
};
const ID: Field = {
  name: 'id',
  type: 'string',
  sourceColumn: 'id',
  description: '',
  exampleValue: '',
  includedByDefault: true,
};
