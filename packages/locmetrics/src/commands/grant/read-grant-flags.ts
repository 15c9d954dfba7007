import type { PeriodFilter } from '@locmetrics/core/dates/period';
import type { GrantTerms } from '@locmetrics/core/domain/grant';
import { grantTimes } from '@locmetrics/core/domain/grant-days';
import { mergeComponents, mergeDimensions } from '@locmetrics/core/plan/merge-filters';
import type { Lists, Switches, Texts } from '../../cli/define-command.ts';
import { ConfigError } from '../../config/config-error.ts';
import { readFlag, readListFlag } from '../run/read-flag.ts';
import { readFilterFlag } from './read-filter-flag.ts';

/** The restrictions of a grant. */
export type GrantFlags = Lists<
  'filter' | 'field' | 'component' | 'dimension' | 'feature' | 'relatedComponent' | 'relatedFeature'
> &
  Texts<'period' | 'from' | 'until'> &
  Switches<'showSmallCells' | 'liftDefaultFilters'>;

/** The terms of a grant, from the flags of `grant add`. */
export function readGrantFlags(pattern: string, flags: GrantFlags): GrantTerms {
  const { from, until } = flags;
  const { starts } = readFlag('--from', () => grantTimes({ from }));
  const { ends } = readFlag('--until', () => grantTimes({ until }));
  return {
    pattern,
    filters: flags.filter.map(readFilterFlag),
    fields:
      flags.field.length === 0
        ? undefined
        : flags.field.flatMap((names) => readListFlag('--field', names)),
    lens: {
      period: readPeriod(flags.period ?? ''),
      dimensions: mergeDimensions(
        readPairs('--dimension', flags.dimension).map(([dimensionId, value]) => ({
          dimensionId,
          values: [value],
        })),
      ).merged,
      addressComponents: readComponents('--component', flags.component),
      features: flags.feature,
      relatedAddressComponents: readComponents('--related-component', flags.relatedComponent),
      relatedFeatures: flags.relatedFeature,
    },
    starts,
    ends,
    showsSmallCells: flags.showSmallCells ?? false,
    liftsDefaultFilters: flags.liftDefaultFilters ?? false,
  };
}

function readComponents(flag: string, pairs: readonly string[]) {
  const filters = readPairs(flag, pairs).map(([component, value]) => ({
    component,
    values: [value],
  }));
  return mergeComponents(filters).merged;
}

/** `id:value`, split at the first colon. */
function readPairs(flag: string, pairs: readonly string[]): readonly (readonly [string, string])[] {
  return pairs.map((text) => {
    const colon = text.indexOf(':');
    if (colon > 0 && colon < text.length - 1) return [text.slice(0, colon), text.slice(colon + 1)];
    throw new ConfigError(
      `${flag}: '${text.slice(0, 100)}' is not an id and a value separated by a colon.`,
      flag === '--dimension'
        ? 'Write for example age:20-29.'
        : 'Write for example us_state_2020:06.',
    );
  });
}

/** Two days separated by a slash; one of them can be empty. */
function readPeriod(text: string): PeriodFilter {
  if (text === '') return {};
  const [start = '', end, ...rest] = text.split('/');
  if (end === undefined || rest.length > 0 || (start === '' && end === '')) {
    throw new ConfigError(
      `--period: '${text.slice(0, 100)}' is not two days separated by a slash.`,
      'Write for example 2023-01-01/2023-12-31; one side can be empty.',
    );
  }
  return { ...(start === '' ? {} : { start }), ...(end === '' ? {} : { end }) };
}
