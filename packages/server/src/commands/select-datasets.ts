import type { CurrentDataset, CurrentFile } from '../catalog/current-file.ts';
import { ConfigError } from '../config/config-error.ts';
import { quote } from '../config/quote.ts';
import { nameHint } from '../domain/nearest-name.ts';

/** The datasets that a command is about, in the order of their names: all, or the one it names. */
export function selectDatasets(
  { datasets }: CurrentFile,
  name: string | undefined,
): readonly (readonly [string, CurrentDataset])[] {
  const names = Object.keys(datasets).sort();
  if (name !== undefined && !names.includes(name)) {
    throw new ConfigError(
      `No dataset ${quote(name)} is published here.`,
      names.length === 0 ? NOTHING_PUBLISHED : nameHint(name, names),
    );
  }
  return names.flatMap((one) => {
    const dataset = datasets[one];
    return dataset === undefined || (name !== undefined && one !== name) ? [] : [[one, dataset]];
  });
}

export const NOTHING_PUBLISHED =
  'Nothing is published here yet. Publish a manifest: locmetrics publish MANIFEST';
