import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOnSample, type Sample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';

/** Publishes the next version of `town.shops`; a row is `id,name`. */
export function publishShops(sample: Sample, rows: readonly string[]): void {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'shops.csv'), `id,name\n${rows.join('\n')}\n`);
  writeFileSync(join(folder, 'locmetrics.yaml'), MANIFEST);
  runOnSample(sample, ['publish', join(folder, 'locmetrics.yaml')]);
}

const MANIFEST = `format: 1
products:
  town: { display_name: Town }
datasets:
  town.shops:
    files: shops.csv
    key: [id]
    fields:
      id: { type: string }
      name: { type: string }
`;
