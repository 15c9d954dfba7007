import type { Metric } from '@locmetrics/client';
import type { Span } from '../../data/metric-view.ts';
import { periodWord } from '../../format/periods.ts';
import { comparedStretch, type Stretch } from './spans.ts';

/** What a period is compared with: nothing, a period that the service finds, or any other that is asked for by itself. */
export type Against =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'service';
      readonly word: 'previous' | 'last-year';
      readonly compare: 'PREVIOUS' | 'SAME_PERIOD_LAST_YEAR';
      readonly stretch: Stretch;
    }
  | { readonly kind: 'other'; readonly stretch: Stretch };

const COMPARES = { 'last-year': 'SAME_PERIOD_LAST_YEAR', previous: 'PREVIOUS' } as const;

/**
 * The period that the view names. If it names none: the same period of the year before, or else the one before, as far
 * as there are values.
 */
export function findAgainst(
  named: string | undefined,
  { stretches, index, span }: Stretches,
): Against {
  const find = (word: 'previous' | 'last-year'): Against => {
    const stretch = comparedStretch(stretches, index, COMPARES[word]);
    if (stretch === undefined) return { kind: 'none' };
    return { kind: 'service', word, compare: COMPARES[word], stretch };
  };
  if (named === 'none' || span === 'all') return { kind: 'none' };
  if (named === 'previous' || named === 'last-year') return find(named);
  if (named !== undefined) {
    const stretch = stretches.findLast(({ start }) => start <= named) ?? stretches[0];
    return stretch === undefined ? { kind: 'none' } : { kind: 'other', stretch };
  }
  const lastYear = find('last-year');
  return lastYear.kind === 'none' ? find('previous') : lastYear;
}

export type Stretches = {
  readonly stretches: readonly Stretch[];
  readonly index: number;
  readonly span: Span;
};

/** The word for a stretch in a sentence: month. */
export function spanWord(span: Span, cadence: Metric['spec']['cadence']): string {
  if (span === 'period') return periodWord(cadence).toLowerCase();
  return span === 'all' ? 'whole time' : span;
}
