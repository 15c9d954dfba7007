import type { Metric } from '@locmetrics/client';
import { useMemo } from 'react';
import { categoryClasses } from '../map/categories.ts';
import { ValueMap } from '../map/value-map.tsx';
import { type CategoryRow, OTHERS } from './category-values.ts';
import styles from './map-panel.module.css';
import { sourceWords } from './source-words.ts';

/** The places of the list on a map, in the colours of their categories. */
export function CategoryMap({
  metric,
  title,
  rows,
  coloured,
  hidden,
  hovered,
  chosen,
  onHover,
  onChoose,
  onHidden,
}: {
  readonly metric: Metric;
  readonly title: string;
  readonly rows: readonly CategoryRow[];
  readonly coloured: readonly string[];
  readonly hidden: readonly string[] | undefined;
  readonly hovered: string | undefined;
  readonly chosen: ReadonlySet<string>;
  readonly onHover: (id: string | undefined) => void;
  readonly onChoose: (id: string) => void;
  readonly onHidden: (hidden: readonly string[] | undefined) => void;
}) {
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  const values = useMemo(
    () =>
      new Map(
        rows.map(({ id, category }) => {
          const place = category === null ? null : coloured.indexOf(category);
          return [id, place === -1 ? coloured.length : place];
        }),
      ),
    [rows, coloured],
  );
  const names = useMemo(
    () => ([...values.values()].includes(coloured.length) ? [...coloured, OTHERS] : coloured),
    [values, coloured],
  );
  const classes = useMemo(() => categoryClasses(names), [names]);
  return (
    <div className={styles.panel}>
      <span />
      <ValueMap
        layer={{ catalogId: metric.catalogId, layerId: metric.layerId }}
        title={title}
        values={values}
        classes={classes}
        categories={names}
        format={String}
        describe={(id, name) => (
          <>
            <strong>{byId.get(id)?.name ?? name ?? id}</strong>
            <div>{byId.get(id)?.category ?? 'no value'}</div>
          </>
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
