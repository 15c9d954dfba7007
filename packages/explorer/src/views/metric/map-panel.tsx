import type { Metric } from '@locmetrics/client';
import { useCallback, useMemo } from 'react';
import type { Classes } from '../../data/map-address.ts';
import type { LayerId } from '../../data/metric-queries.ts';
import type { Sort } from '../../data/metric-view.ts';
import { ClassChoice } from '../map/class-choice.tsx';
import { classThresholds } from '../map/value-classes.ts';
import { ValueMap } from '../map/value-map.tsx';
import { CHANGE_UNIT, formatValue } from './chart-data.ts';
import styles from './map-panel.module.css';
import { type Ranked, type RankedRow, sortKey } from './ranking.ts';
import { sourceWords } from './source-words.ts';

/** The places of the list on a map, coloured by the number that the list is sorted by. */
export function MapPanel({
  metric,
  layer,
  title,
  changeTitle,
  unit,
  rows,
  withheld,
  sort,
  classes,
  hidden,
  hovered,
  chosen,
  onHover,
  onChoose,
  onClasses,
  onHidden,
}: {
  readonly metric: Metric;
  /** Its features are the rows. */
  readonly layer: LayerId;
  /** What the values are, above the legend. */
  readonly title: string;
  /** What their changes are. */
  readonly changeTitle: string;
  readonly unit: string;
  readonly rows: readonly Ranked[];
  /** The ids of places without a number because it is withheld. */
  readonly withheld: ReadonlySet<string>;
  readonly sort: Sort;
  readonly classes: Classes | undefined;
  readonly hidden: readonly string[] | undefined;
  readonly hovered: string | undefined;
  readonly chosen: ReadonlySet<string>;
  readonly onHover: (id: string | undefined) => void;
  readonly onChoose: (id: string) => void;
  readonly onClasses: (classes: Classes | undefined) => void;
  readonly onHidden: (hidden: readonly string[] | undefined) => void;
}) {
  const key = sortKey(sort) === 'name' ? 'value' : (sortKey(sort) as NumberKey);
  const values = useMemo(
    () => new Map(rows.map(({ row }) => [row.id, row[key] ?? null])),
    [rows, key],
  );
  const thresholds = useMemo(
    () =>
      classes === undefined || typeof classes === 'string'
        ? classThresholds(values.values(), classes)
        : classes,
    [values, classes],
  );
  const byId = useMemo(() => new Map(rows.map((ranked) => [ranked.row.id, ranked])), [rows]);
  const valueUnit = key === 'percent' ? CHANGE_UNIT : unit;
  const format = useCallback(
    (value: number): string => formatValue(value, { unit: key === 'percent' ? CHANGE_UNIT : '' }),
    [key],
  );
  const words = key === 'value' ? title : changeTitle;
  return (
    <div className={styles.panel}>
      <div className={styles.classes}>
        <ClassChoice classes={classes} thresholds={thresholds} onClasses={onClasses} />
      </div>
      <ValueMap
        layer={layer}
        title={valueUnit === '' ? words : `${words}, ${valueUnit}`}
        values={values}
        withheld={withheld}
        classes={thresholds}
        format={format}
        describe={(id, name = id) => (
          <Description ranked={byId.get(id)} isWithheld={withheld.has(id)} id={name} unit={unit} />
        )}
        hovered={hovered}
        onHover={onHover}
        chosen={chosen}
        onChoose={onChoose}
        source={sourceWords(metric)}
        hidden={hidden}
        onHidden={onHidden}
      />
    </div>
  );
}

type NumberKey = 'value' | 'change' | 'percent';

function Description({
  ranked,
  isWithheld,
  id,
  unit,
}: {
  readonly ranked: Ranked | undefined;
  readonly isWithheld: boolean;
  readonly id: string;
  readonly unit: string;
}) {
  if (ranked === undefined) return <>{id}: no value in this period</>;
  const { row, rank } = ranked;
  return (
    <>
      <strong>{row.name}</strong>
      {row.detail !== '' && <div>{row.detail}</div>}
      <div>{isWithheld ? 'withheld: too small to show' : valueWords(row, unit)}</div>
      {row.percent !== undefined && (
        <div>{`${formatValue(row.percent, { unit: CHANGE_UNIT })} %`}</div>
      )}
      {rank !== undefined && <div>Rank {rank}</div>}
    </>
  );
}

function valueWords({ value }: RankedRow, unit: string): string {
  if (value === null) return 'no value';
  return `${formatValue(value, { unit: '' })}${unit === '' ? '' : ` ${unit}`}`;
}
