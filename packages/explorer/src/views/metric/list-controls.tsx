import type { Metric } from '@locmetrics/client';
import type { MetricView, Span, ViewGroup } from '../../data/metric-view.ts';
import { type Choice, Select } from '../../ui/select.tsx';
import { aggregationChoices, defaultAggregation, isPlain, type Parts } from './aggregation.ts';
import { type Against, findAgainst, type Stretches, spanWord } from './period-against.ts';
import { spansOf } from './spans.ts';

type Change = (next: Partial<MetricView>) => void;

/** What the list groups by: each place, or what places belong to, or a dimension of the values. */
export function GroupSelect({
  metric,
  group,
  onChange,
}: {
  readonly metric: Metric;
  readonly group: ViewGroup | undefined;
  readonly onChange: Change;
}) {
  const components = (metric.layer?.addressComponentsList ?? []).filter(
    ({ kind }) => kind !== 'FREE_FORM_UNSPECIFIED',
  );
  const groups: readonly (Choice<string> & { readonly group: ViewGroup })[] = [
    ...components.map(({ component, displayName }) => ({
      value: `component:${component}`,
      label: displayName || component,
      group: { kind: 'component', id: component } as const,
    })),
    ...metric.dimensionsList.map(({ dimensionId, displayName }) => ({
      value: `dimension:${dimensionId}`,
      label: displayName || dimensionId,
      group: { kind: 'dimension', id: dimensionId } as const,
    })),
  ];
  if (groups.length === 0) return null;
  return (
    <Select
      label="Group by"
      choices={[{ value: 'feature', label: placeWord(metric) }, ...groups]}
      value={group === undefined ? 'feature' : `${group.kind}:${group.id}`}
      onChange={(value) =>
        onChange({
          group: groups.find((one) => one.value === value)?.group,
          groups: undefined,
          aggregate: undefined,
        })
      }
    />
  );
}

/** The word for a feature of the layer: Park. */
function placeWord({ layer }: Metric): string {
  return layer?.spec.featureDisplayName || 'Place';
}

/** The name of what the list has a row of. */
export function groupWord(metric: Metric, group: ViewGroup | undefined): string {
  if (group === undefined) return placeWord(metric);
  const component = metric.layer?.addressComponentsList.find((one) => one.component === group.id);
  const dimension = metric.dimensionsList.find((one) => one.dimensionId === group.id);
  const name = group.kind === 'component' ? component?.displayName : dimension?.displayName;
  return name || group.id;
}

/** How the values become one number; nothing where each number is a value itself. */
export function AggregationSelect({
  parts,
  aggregation,
  onChange,
}: {
  readonly parts: Parts;
  readonly aggregation: NonNullable<MetricView['aggregate']>;
  readonly onChange: Change;
}) {
  if (isPlain(parts)) return null;
  const choices = aggregationChoices(parts);
  // An address can ask for a sum that means nothing: the service then says why.
  const named = choices.some(({ value }) => value === aggregation)
    ? choices
    : [...choices, { value: aggregation, label: 'Sum' }];
  return (
    <Select
      label="Aggregate"
      choices={named}
      value={aggregation}
      onChange={(aggregate) =>
        onChange({ aggregate: aggregate === defaultAggregation(parts) ? undefined : aggregate })
      }
    />
  );
}

/** How long the period of the list is. */
export function SpanSelect({
  metric,
  span,
  onChange,
}: {
  readonly metric: Metric;
  readonly span: Span;
  readonly onChange: Change;
}) {
  const spans = spansOf(metric);
  const hasOne = metric.firstObservationDate === metric.lastObservationDate;
  if (spans.length < 2 || hasOne) return null;
  return (
    <Select
      label="Period"
      choices={SPAN_ORDER.filter((one) => spans.includes(one)).map((value) => ({
        value,
        label: `One ${spanWord(value, metric.spec.cadence)}`.replace('One whole', 'The whole'),
      }))}
      value={span}
      onChange={(next) =>
        onChange({ span: next === spans[0] ? undefined : next, aggregate: undefined })
      }
    />
  );
}

const SPAN_ORDER: readonly Span[] = ['period', 'month', 'quarter', 'year', 'all'];

/** What the period is compared with. */
export function AgainstSelect({
  metric,
  at,
  against,
  hasOther,
  onChange,
}: {
  readonly metric: Metric;
  readonly at: Stretches;
  readonly against: Against;
  /** Whether any other period can be chosen: only if the list has all places. */
  readonly hasOther: boolean;
  readonly onChange: Change;
}) {
  if (at.span === 'all' || at.stretches.length < 2) return null;
  const [previous, lastYear] = [findAgainst('previous', at), findAgainst('last-year', at)];
  const word = spanWord(at.span, metric.spec.cadence);
  const isYear = at.span === 'year' || metric.spec.cadence === 'YEARLY';
  const choices: readonly Choice<string>[] = [
    { value: 'none', label: 'Nothing' },
    ...(previous.kind === 'none'
      ? []
      : [{ value: 'previous', label: `${previous.stretch.label} (the ${word} before)` }]),
    ...(lastYear.kind === 'none' || isYear
      ? []
      : [{ value: 'last-year', label: `${lastYear.stretch.label} (a year earlier)` }]),
    ...(hasOther || against.kind === 'other' ? [{ value: 'other', label: `Another ${word}` }] : []),
  ];
  const value = against.kind === 'service' ? (isYear ? 'previous' : against.word) : against.kind;
  return (
    <Select
      label="Compared with"
      choices={choices}
      value={value}
      onChange={(next) => {
        if (next !== 'other') onChange({ against: next });
        else onChange({ against: (at.stretches[at.index - 1] ?? at.stretches[0])?.start });
      }}
    />
  );
}
