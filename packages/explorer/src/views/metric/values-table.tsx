import { useMemo, useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type ChartData, formatValue, toneColour, toneOpacity } from './chart-data.ts';
import styles from './metric.module.css';

/** A longer table is drawn only if asked for. */
const FIRST_ROWS = 800;

/** The values of the chart, row by row; the newest first until the reader reverses the order. */
export function ValuesTable({
  chart,
  caption,
}: {
  readonly chart: ChartData;
  readonly caption: string;
}) {
  const [isReversed, setReversed] = useState(false);
  const [isWhole, setWhole] = useState(false);
  // Time goes back in a table of periods, but a year begins with January.
  const isDescending = chart.isByYear ? isReversed : !isReversed;
  const indexes = useMemo(() => {
    const all = [...chart.points.keys()];
    return isDescending ? all.reverse() : all;
  }, [chart, isDescending]);
  const columns: readonly Column<number>[] = [
    {
      id: 'point',
      header: (
        <button type="button" className={styles.sort} onClick={() => setReversed(!isReversed)}>
          {chart.pointWord} <span aria-hidden="true">{isDescending ? '↓' : '↑'}</span>
        </button>
      ),
      sort: isDescending ? 'descending' : 'ascending',
      cell: (index) => <span className={styles.period}>{chart.points[index]?.label}</span>,
    },
    ...chart.series.map((series) => ({
      id: series.id,
      header: (
        <span title={series.title} className={styles.seriesHead}>
          <span
            className={styles.mark}
            style={{ background: toneColour(series.tone), opacity: toneOpacity(series.tone) }}
            aria-hidden="true"
          />
          {series.name}
        </span>
      ),
      isNumber: true,
      cell: (index: number) => {
        const value = series.values[index];
        if (typeof value === 'number') return formatValue(value, chart);
        if (series.withheld?.has(index)) {
          return (
            <span className={styles.absent} title="There is a value, but it is too small to show">
              withheld
            </span>
          );
        }
        return (
          <span className={styles.absent} title="There is no value">
            <span aria-hidden="true">–</span>
            <span className="visually-hidden">absent</span>
          </span>
        );
      },
    })),
  ];
  const shown = isWhole ? indexes : indexes.slice(0, FIRST_ROWS);
  return (
    <div className={styles.table}>
      <DataTable
        caption={chart.unit === '' ? caption : `${caption}, in ${chart.unit}`}
        columns={columns}
        rows={shown}
        rowKey={(index) => `${chart.points[index]?.key}/${chart.points[index]?.last}`}
        empty="There are no values."
      />
      {shown.length < indexes.length && (
        <p>
          <Button size="small" onPress={() => setWhole(true)}>
            Show all {formatCount(indexes.length)} rows
          </Button>
        </p>
      )}
    </div>
  );
}
