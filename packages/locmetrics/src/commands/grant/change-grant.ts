import type { GrantTerms } from '@locmetrics/core/domain/grant';
import { nearestName } from '@locmetrics/core/errors/nearest-name';
import {
  type CatalogSnapshot,
  openCatalog,
} from '@locmetrics/data-directory/versions/open-catalog';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import { checkGrant } from '@locmetrics/server/service/check-grant';
import type { CheckedGrantValue } from '@locmetrics/server/service/grant-values';
import type { StoreOptions } from '../../compose/open-data.ts';
import { withStoreUpToDate } from '../../compose/with-versions.ts';
import { confirmGrantValues } from './confirm-grant-values.ts';

type ChangedGrant<Made> = {
  readonly made: Made;
  readonly names: readonly string[];
  readonly values: readonly CheckedGrantValue[];
};

/** Makes a change with terms that fit the published data, once values that match nothing are confirmed. */
export async function changeGrant<Made>(
  { isConfirmed, ...options }: StoreOptions & { readonly isConfirmed: boolean },
  terms: GrantTerms,
  change: (store: ControlStore) => Made | Promise<Made>,
): Promise<ChangedGrant<Made>> {
  return withStoreUpToDate(options, async (store, directory, config) => {
    const { output } = options;
    const isInDatabase = config.clickhouse !== undefined;
    const snapshot = openCatalog(directory, { isInDatabase }).snapshot();
    const names = checkGrant(terms, snapshot);
    if (names.length === 0) output.messages(namesNothing(terms.pattern, snapshot));
    const values = await confirmGrantValues({ directory, config }, terms, { isConfirmed, output });
    return { names, values, made: await change(store) };
  });
}

function namesNothing(pattern: string, { datasets, metrics }: CatalogSnapshot): string {
  const published = [...datasets.keys(), ...metrics.keys()];
  const nearest = nearestName(pattern, pattern.endsWith('*') ? patternsOf(published) : published);
  const hint = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
  return `No published dataset or metric matches '${pattern}' yet. The grant takes effect when one does.${hint}\n`;
}

/** The patterns of whole products and catalogs: `my_places.*` of `my_places.cafes`. */
function patternsOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.replace(/(?<=[./]).*/, '*')))];
}
