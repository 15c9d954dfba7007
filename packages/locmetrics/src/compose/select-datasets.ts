import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { CurrentDataset, CurrentFile } from '@locmetrics/data-directory/versions/current-file';
import { ConfigError } from '../config/config-error.ts';
import { quote } from '../config/quote.ts';

/** The datasets of a command, sorted by name: all, or the named one. */
export function selectDatasets(
  { datasets }: CurrentFile,
  name: string | undefined,
): readonly (readonly [string, CurrentDataset])[] {
  const names = Object.keys(datasets).sort();
  if (name !== undefined && !names.includes(name)) {
    throw new ConfigError(
      `No dataset ${quote(name)} is published.`,
      names.length === 0 ? NOTHING_PUBLISHED : nameHint(name, names),
    );
  }
  return names.flatMap((one) => {
    const dataset = datasets[one];
    return dataset === undefined || (name !== undefined && one !== name) ? [] : [[one, dataset]];
  });
}

export const NOTHING_PUBLISHED =
  'Nothing is published in this data directory yet. Publish a manifest: locmetrics publish MANIFEST';
