import type { ControlStore } from '../../auth/control-store.ts';
import type { GrantEntry } from '../../auth/grants.ts';
import type { RequiredTexts, Run, Switches, Texts } from '../../cli/define-command.ts';
import { jsonLine, printList } from '../../cli/output.ts';
import { type StoreOptions, withStore } from '../../compose/open-data.ts';
import { withStoreUpToDate } from '../../compose/with-versions.ts';
import { ControlError } from '../../domain/control-error.ts';
import type { Grant, GrantTerms } from '../../domain/grant.ts';
import { grantDays } from '../../domain/grant-days.ts';
import { type GrantFit, type GrantState, grantState } from '../../domain/grant-fit.ts';
import { grantTexts } from '../../domain/grant-text.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import {
  toCheckedValueAnswer,
  toFittedGrantAnswer,
  toGrantAnswer,
} from '../../encoding/control-entries.ts';
import { escapeControls } from '../../importer/problems/import-error.ts';
import { checkGrant } from '../../service/check-grant.ts';
import { fitGrant } from '../../service/fit-grant.ts';
import type { CheckedGrantValue } from '../../service/grant-values.ts';
import { type CatalogSnapshot, openCatalog } from '../../versions/open-catalog.ts';
import { confirmGrantValues, grantValuesText } from './grant-values.ts';
import { type GrantFlags, readGrantFlags } from './read-grant-flags.ts';

export const addGrantAction: Run<
  RequiredTexts<'org' | 'pattern'> & GrantFlags & Switches<'yes'>
> = async (output, { org: organisationId, pattern, settings, json, yes, ...flags }) => {
  const terms = readGrantFlags(pattern, flags);
  const { made, names, values } = await changeGrant(
    { settings, output, isConfirmed: yes ?? false },
    terms,
    (store) => store.addGrant(organisationId, terms),
  );
  const grant = toGrantAnswer(made);
  output.data(
    json
      ? jsonLine({ grant, names, values: values.map(toCheckedValueAnswer) })
      : `Granted ${organisationId} '${pattern}' (${narrowing(made.grant)}): the grant ${grant.grantId}.\n${grantValuesText(values)}`,
  );
};

export const replaceGrantAction: Run<
  RequiredTexts<'grant' | 'pattern'> & GrantFlags & Switches<'yes'>
> = async (output, { grant: grantId, pattern, settings, json, yes, ...flags }) => {
  const terms = readGrantFlags(pattern, flags);
  const { made, names, values } = await changeGrant(
    { settings, output, isConfirmed: yes ?? false },
    terms,
    (store) => store.replaceGrant(grantId, terms),
  );
  const { before, ...entry } = made;
  const { organisationId, grant } = entry;
  output.data(
    json
      ? jsonLine({
          grant: toGrantAnswer(entry),
          names,
          values: values.map(toCheckedValueAnswer),
          before: toGrantAnswer({ ...entry, grant: before }),
        })
      : `Replaced the grant ${grantId} of ${organisationId}.\n  before  '${before.pattern}' (${narrowing(before)})\n  now     '${pattern}' (${narrowing(grant)})\n${grantValuesText(values)}`,
  );
};

type ChangedGrant<Made> = {
  readonly made: Made;
  readonly names: readonly string[];
  readonly values: readonly CheckedGrantValue[];
};

/** Makes a change with terms that fit the published data, once values that match nothing are confirmed. */
async function changeGrant<Made>(
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

export const listGrantsAction: Run<Texts<'org'>> = async (
  output,
  { org: organisationId, settings, json },
) => {
  const listed = await listFitted({ settings, output }, organisationId);
  printList(output, {
    json,
    answer: { grants: listed.map(toFittedGrantAnswer) },
    none: 'There are no grants. Add one: locmetrics grant add ORG PATTERN',
    columns: ['ID', 'ORGANISATION', 'PATTERN', 'FROM', 'UNTIL', 'STATE', 'WHAT'],
    rows: listed.map(toRow),
  });
  const others = listed.filter(isMisfit).length;
  if (others > 0 && !json) output.messages(`${countText(others, listed.length)} ${WHY}\n`);
};

export const checkGrantsAction: Run<Texts<'org'>> = async (output, { settings, json, org }) => {
  const fitted = await listFitted({ settings, output }, org);
  const listed = fitted.filter(({ state }) => state !== 'ended');
  const others = listed.filter(isMisfit);
  if (json) {
    const grants = others.map(toFittedGrantAnswer);
    output.data(jsonLine({ checked: listed.length, grants }));
  } else if (others.length === 0) {
    output.data(listed.length === 0 ? 'There are no grants.\n' : 'All grants fit.\n');
  } else {
    output.data(others.map(misfitText).join(''));
  }
  if (others.length === 0) return;
  throw new ControlError(
    countText(others.length, listed.length),
    'Publish the missing names, or change the grants: locmetrics grant replace, locmetrics grant remove.',
  );
};

export const removeGrantAction: Run<RequiredTexts<'grant'>> = async (
  output,
  { grant: grantId, settings, json },
) => {
  const entry = await withStore({ settings, output }, (store) => store.removeGrant(grantId));
  const { organisationId, grant } = entry;
  output.data(
    json
      ? jsonLine({ grant: toGrantAnswer(entry) })
      : `Removed the grant ${grant.grantId} of ${organisationId} ('${grant.pattern}').\n`,
  );
};

/** A grant, and how it fits the published data. */
type FittedGrant = GrantEntry & {
  readonly state: GrantState;
  readonly fits: readonly GrantFit[];
};

function listFitted(
  options: StoreOptions,
  organisationId: string | undefined,
): Promise<readonly FittedGrant[]> {
  const filter = organisationId === undefined ? {} : { organisationId };
  return withStoreUpToDate(options, (store, directory, { clickhouse }) => {
    const isInDatabase = clickhouse !== undefined;
    const published = openCatalog(directory, { isInDatabase }).snapshot();
    return store.listGrants(filter).map((entry) => {
      const fits = fitGrant(entry.grant, published);
      return { ...entry, fits, state: grantState(entry.grant, fits, Date.now()) };
    });
  });
}

function isMisfit({ state }: FittedGrant): boolean {
  return state === 'misfit' || state === 'names_nothing';
}

function countText(others: number, all: number): string {
  const grants = all === 1 ? 'grant' : 'grants';
  return `${others} of ${all} ${grants} ${others === 1 ? 'does' : 'do'} not fit the published data.`;
}

const WHY = 'Why: locmetrics grant check';

function toRow({ grant, organisationId, state }: FittedGrant): readonly string[] {
  const { from = 'always', until = 'no end' } = grantDays(grant);
  const words = [grant.grantId, organisationId, grant.pattern, from, until, STATE_WORDS[state]];
  return [...words, narrowing(grant)];
}

const STATE_WORDS: Readonly<Record<GrantState, string>> = {
  fits: 'fits',
  misfit: 'does not fit',
  names_nothing: 'names nothing',
  ended: 'ended',
};

/** A grant, and a line per dataset and metric that it does not fit. */
function misfitText({ grant, organisationId, fits, state }: FittedGrant): string {
  const lines = fits
    .filter(({ problems }) => problems.length > 0)
    .map(
      ({ name, isSeen, problems }) =>
        `${name}: ${isSeen ? '' : 'no access. '}${problems.join(' ')}`,
    );
  return [
    `${grant.grantId} of ${organisationId}: '${grant.pattern}' (${narrowing(grant)})`,
    ...(state === 'names_nothing'
      ? ['No published dataset or metric matches this pattern.']
      : lines
    ).map((line) => `  ${escapeControls(line)}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** The restrictions of a grant; the JSON has all of their values. */
function narrowing(grant: Grant): string {
  return escapeControls(grantTexts(grant).join('; ')) || 'all of it';
}
