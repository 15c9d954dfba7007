import type { Grant, GrantTerms } from '@locmetrics/core/domain/grant';
import { toCheckedValueAnswer, toGrantAnswer } from '@locmetrics/core/encoding/control-entries';
import { nearestName } from '@locmetrics/core/errors/nearest-name';
import {
  type CatalogSnapshot,
  openCatalog,
} from '@locmetrics/data-directory/versions/open-catalog';
import type { ControlStore } from '@locmetrics/server/auth/control-store';
import type { GrantEntry, ReplacedGrant } from '@locmetrics/server/auth/grants';
import { checkGrant } from '@locmetrics/server/service/rights/check-grant';
import type { CheckedGrantValue } from '@locmetrics/server/service/rights/grant-values';
import type { Switches } from '../../cli/define-command.ts';
import { jsonLine, type Output } from '../../cli/output.ts';
import { withStoreUpToDate } from '../../compose/with-versions.ts';
import type { SettingFlags } from '../../config/read-config.ts';
import { confirmGrantValues, grantValuesText } from './confirm-grant-values.ts';
import { narrowing } from './narrowing.ts';
import { type GrantFlags, readGrantFlags } from './read-grant-flags.ts';

type Given = GrantFlags &
  Switches<'json' | 'yes'> & { readonly settings: SettingFlags; readonly pattern: string };

type Change<Made> = {
  readonly change: (store: ControlStore, terms: GrantTerms) => Made | Promise<Made>;
  /** Sentences about the change; `textOf` has the restrictions of a grant. */
  readonly toText: (made: Made, textOf: (grant: Grant) => string) => string;
};

/**
 * Makes a change with terms that fit the published data, once values that match nothing are confirmed, and prints the
 * grant and its values.
 */
export async function changeGrant<Made extends GrantEntry | ReplacedGrant>(
  output: Output,
  { settings, pattern, json, yes = false, ...flags }: Given,
  { change, toText }: Change<Made>,
): Promise<void> {
  const terms = readGrantFlags(pattern, flags);
  const changed = await withStoreUpToDate(
    { settings, output },
    async (store, directory, config) => {
      const isInDatabase = config.clickhouse !== undefined;
      const snapshot = openCatalog(directory, { isInDatabase }).snapshot();
      const names = checkGrant(terms, snapshot);
      if (names.length === 0) output.messages(namesNothing(pattern, snapshot));
      const confirming = { isConfirmed: yes, output };
      const values = await confirmGrantValues({ directory, config }, terms, confirming);
      return { names, values, made: await change(store, terms) };
    },
  );
  output.data(
    json
      ? jsonLine(toAnswer(changed))
      : `${toText(changed.made, narrowing)}\n${grantValuesText(changed.values)}`,
  );
}

function toAnswer({
  made,
  names,
  values,
}: {
  readonly made: GrantEntry | ReplacedGrant;
  readonly names: readonly string[];
  readonly values: readonly CheckedGrantValue[];
}) {
  return {
    grant: toGrantAnswer(made),
    names,
    values: values.map(toCheckedValueAnswer),
    ...('before' in made ? { before: toGrantAnswer({ ...made, grant: made.before }) } : {}),
  };
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
