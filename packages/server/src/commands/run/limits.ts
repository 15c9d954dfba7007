import { LIMIT_NAMES, type LimitChanges, type LimitName } from '../../auth/limits.ts';
import type { RequiredTexts, Run, Texts } from '../../cli/define-command.ts';
import { jsonLine, printList } from '../../cli/output.ts';
import { withStore } from '../../compose/open-data.ts';
import { ConfigError } from '../../config/config-error.ts';
import type { OrganisationLimits } from '../../domain/rights.ts';
import { toLimitsAnswer } from '../../encoding/control-entries.ts';

export const setLimitsAction: Run<
  RequiredTexts<'org'> & Texts<Exclude<LimitName, 'concurrentQueries'> | 'concurrent'>
> = async (output, { org: organisationId, settings, json, concurrent, ...flags }) => {
  const changes = readLimitFlags({ ...flags, concurrentQueries: concurrent });
  const entry = await withStore({ settings, output }, (store) =>
    store.setLimits(organisationId, changes),
  );
  output.data(
    json
      ? jsonLine(toLimitsAnswer(entry))
      : `The limits of ${organisationId}: ${describe(entry.limits)}.\n`,
  );
};

export const listLimitsAction: Run<Texts<'org'>> = async (
  output,
  { org: organisationId, settings, json },
) => {
  const filter = organisationId === undefined ? {} : { organisationId };
  const entries = await withStore({ settings, output }, (store) => store.listLimits(filter));
  printList(output, {
    json,
    answer: { limits: entries.map(toLimitsAnswer) },
    none: 'No organisation has limits. Set one: locmetrics limits set ORG --rows-per-day N',
    columns: ['ORGANISATION', ...LIMIT_NAMES.map((name) => TEXTS[name].column)],
    rows: entries.map(({ organisationId: id, limits }) => [
      id,
      ...LIMIT_NAMES.map((name) => String(limits[name] ?? 'none')),
    ]),
  });
};

/** The names of each limit on the command line. */
const TEXTS: Readonly<
  Record<LimitName, { readonly flag: string; readonly column: string; readonly noun: string }>
> = {
  requestsPerSecond: {
    flag: '--requests-per-second',
    column: 'REQUESTS/S',
    noun: 'requests per second',
  },
  burst: { flag: '--burst', column: 'BURST', noun: 'at once' },
  rowsPerDay: { flag: '--rows-per-day', column: 'ROWS/DAY', noun: 'rows per day' },
  rowsPerMonth: { flag: '--rows-per-month', column: 'ROWS/MONTH', noun: 'rows per month' },
  concurrentQueries: {
    flag: '--concurrent',
    column: 'CONCURRENT',
    noun: 'requests at the same time',
  },
};

function readLimitFlags(
  flags: { readonly [Name in LimitName]?: string | undefined },
): LimitChanges {
  const changes = LIMIT_NAMES.flatMap((name) => {
    const text = flags[name];
    return text === undefined ? [] : [[name, readLimit(TEXTS[name].flag, text)] as const];
  });
  if (changes.length > 0) return Object.fromEntries(changes);
  throw new ConfigError(
    'No limit is given.',
    `Give at least one of ${LIMIT_NAMES.map((name) => TEXTS[name].flag).join(', ')}.`,
  );
}

function readLimit(flag: string, text: string): number {
  if (text === 'none') return 0;
  if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return Number(text);
  throw new ConfigError(
    `${flag}: '${text.slice(0, 100)}' is not a number of 0 or more.`,
    'Write a number, or 0 or none to remove the limit.',
  );
}

function describe(limits: OrganisationLimits): string {
  const parts = LIMIT_NAMES.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [`${limit} ${TEXTS[name].noun}`];
  });
  return parts.length === 0 ? 'none' : parts.join(', ');
}
