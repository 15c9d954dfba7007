import type {
  AddressComponent,
  AddressComponentFilter,
  Dimension,
  Metric,
} from '@locmetrics/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  componentNamesQuery,
  componentValuesQuery,
  dimensionValuesQuery,
} from '../../data/metric-queries.ts';
import type { MetricView } from '../../data/metric-view.ts';
import { useSession } from '../../session/session-context.tsx';
import { ChipList } from '../../ui/chip-list.tsx';
import { SearchPicker } from '../../ui/search-picker.tsx';
import { Select } from '../../ui/select.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';
import styles from './metric.module.css';

type Props = {
  readonly metric: Metric;
  readonly view: MetricView;
  readonly onChange: (next: Partial<MetricView>) => void;
};

/** Filters by what the places belong to, and the values of the dimensions. */
export function FilterControls({ metric, view, onChange }: Props) {
  const { components = [] } = view;
  const filterable =
    metric.layer?.addressComponentsList.filter(({ kind }) => kind !== 'FREE_FORM_UNSPECIFIED') ??
    [];
  const changeFilters = (next: readonly AddressComponentFilter[]): void =>
    onChange({ components: next.length === 0 ? undefined : next });
  const add = (component: string, value: string): void => {
    const values = components.find((one) => one.component === component)?.values ?? [];
    changeFilters([
      ...components.filter((one) => one.component !== component),
      { component, values: [...new Set([...values, value])] },
    ]);
  };
  const remove = (component: string, value: string): void =>
    changeFilters(
      components
        .map((one) =>
          one.component === component
            ? { component, values: one.values.filter((other) => other !== value) }
            : one,
        )
        .filter(({ values }) => values.length > 0),
    );
  return (
    <>
      {filterable.length > 0 && (
        <>
          <ComponentPicker metric={metric} components={filterable} onPick={add} />
          <ComponentChips metric={metric} filters={components} onRemove={remove} />
        </>
      )}
      {metric.dimensionsList.map((dimension) => (
        <DimensionSelect
          key={dimension.dimensionId}
          dimension={dimension}
          metric={metric}
          view={view}
          onChange={onChange}
        />
      ))}
    </>
  );
}

function ComponentPicker({
  metric,
  components,
  onPick,
}: {
  readonly metric: Metric;
  readonly components: readonly AddressComponent[];
  readonly onPick: (component: string, value: string) => void;
}) {
  const [component, setComponent] = useState(firstChoice(components));
  const [text, setText] = useState('');
  const delayed = useDelayed(text.trim());
  const { data, isFetching } = useQuery({
    ...componentValuesQuery(useSession(), {
      catalogId: metric.catalogId,
      component,
      text: delayed,
    }),
    placeholderData: keepPreviousData,
  });
  const items = (data ?? [])
    .filter((one) => one.component === component && one.value !== '')
    .map(({ value, displayName }) => ({
      id: value,
      label: displayName || value,
      ...(displayName === '' || displayName === value ? {} : { detail: value }),
    }));
  const name = componentName(components, component);
  return (
    <div className={styles.filter}>
      <Select
        label="Only places by"
        choices={components.map((one) => ({
          value: one.component,
          label: one.displayName || one.component,
        }))}
        value={component}
        onChange={setComponent}
      />
      <SearchPicker
        label={`Values of ${name}`}
        placeholder="Any"
        items={items}
        isSearching={isFetching || delayed !== text.trim()}
        empty="No value matches."
        onText={setText}
        onPick={(value) => onPick(component, value)}
      />
    </div>
  );
}

/** A component whose values are areas, such as a state, is asked for most. */
function firstChoice(components: readonly AddressComponent[]): string {
  return (components.find(({ kind }) => kind === 'MAP') ?? components[0])?.component ?? '';
}

function ComponentChips({
  metric,
  filters,
  onRemove,
}: {
  readonly metric: Metric;
  readonly filters: readonly AddressComponentFilter[];
  readonly onRemove: (component: string, value: string) => void;
}) {
  const { data } = useQuery({
    ...componentNamesQuery(useSession(), metric.catalogId, filters),
    enabled: filters.length > 0,
    placeholderData: keepPreviousData,
  });
  const chips = filters.flatMap(({ component, values }) =>
    values.map((value) => ({
      component,
      value,
      of: componentName(metric.layer?.addressComponentsList ?? [], component),
      name:
        data?.find((one) => one.component === component && one.value === value)?.displayName ||
        value ||
        'none',
    })),
  );
  return (
    <ChipList
      label="Filters of the places"
      chips={chips.map(({ component, value, of, name }) => ({
        id: JSON.stringify([component, value]),
        text: `${of}: ${name}`,
        title: `${component}: ${value}`,
        removeLabel: `Remove the filter ${of} ${name}`,
        component,
        value,
      }))}
      onRemove={({ component, value }) => onRemove(component, value)}
    />
  );
}

function DimensionSelect({
  dimension: { dimensionId, displayName },
  metric,
  view,
  onChange,
}: Props & { readonly dimension: Dimension }) {
  const { dimensions = [] } = view;
  const { data } = useQuery(dimensionValuesQuery(useSession(), metric.catalogId, dimensionId));
  const spec = metric.spec.dimensionsList.find((one) => one.dimensionId === dimensionId);
  const standard = spec?.defaultValue ?? '';
  const chosen = dimensions.find((one) => one.dimensionId === dimensionId)?.values ?? [];
  const value = chosen.length === 0 ? standard : chosen.join(SEPARATOR);
  const known = (data ?? []).map((one) => ({
    value: one.value,
    label: `${one.displayName || one.value}${one.value === standard ? ' (default)' : ''}`,
  }));
  const choices = [
    ...(standard === '' ? [{ value: '', label: 'All values' }] : []),
    ...known,
    // An address may name several values, or one that the list lacks.
    ...(value === '' || known.some((one) => one.value === value)
      ? []
      : [{ value, label: chosen.length === 0 ? value : chosen.join(', ') }]),
  ];
  const pick = (next: string): void => {
    if (next === value) return;
    const others = dimensions.filter((one) => one.dimensionId !== dimensionId);
    const all = next === standard ? others : [...others, { dimensionId, values: [next] }];
    onChange({ dimensions: all.length === 0 ? undefined : all });
  };
  return (
    <Select label={displayName || dimensionId} choices={choices} value={value} onChange={pick} />
  );
}

const SEPARATOR = '\n';

export function componentName(components: readonly AddressComponent[], component: string): string {
  return components.find((one) => one.component === component)?.displayName || component;
}
