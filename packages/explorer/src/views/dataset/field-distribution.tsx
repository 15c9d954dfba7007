import type { DataReference, FieldDefinition } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  type Bar,
  type CountedValue,
  distributionQuery,
  type FieldProfile,
  hasDistribution,
  valueLines,
} from '../../data/profile-queries.ts';
import { formatCount, formatNumber } from '../../format/numbers.ts';
import { formatValue } from '../../format/values.ts';
import { useSession } from '../../session/session-context.tsx';
import { LoadingMark } from '../../ui/loading.tsx';
import { useSeen } from '../../ui/use-seen.ts';
import styles from './fields.module.css';

/** The most frequent values of a field, or a histogram. It is read once it is in view. */
export function FieldDistribution({
  reference,
  field,
  profile,
}: {
  readonly reference: DataReference;
  readonly field: FieldDefinition;
  readonly profile: FieldProfile;
}) {
  const [element, isSeen] = useSeen<HTMLDivElement>();
  const isWorth = hasDistribution(field, profile);
  const { data, error } = useQuery({
    ...distributionQuery(useSession(), reference, { field, profile }),
    enabled: isSeen && isWorth,
  });
  return (
    <div
      ref={element}
      className={styles.distribution}
      // The rows below stay where they are when the values come.
      style={{ minBlockSize: `${Math.max(2.25, valueLines(field, profile) * LINE)}rem` }}
    >
      {!isWorth && <span className={styles.quiet}>{wordsFor(profile)}</span>}
      {isWorth && data === undefined && error === null && <LoadingMark />}
      {error !== null && <span className={styles.quiet}>could not be read</span>}
      {data?.kind === 'values' && (
        <TopValues dataset={reference.name} field={field} profile={profile} values={data.values} />
      )}
      {data?.kind === 'bars' && <Histogram field={field} bars={data.bars} />}
    </div>
  );
}

/** The height of a value in the list. */
const LINE = 1.5;

function wordsFor({ present, distinct }: FieldProfile): string {
  if (present === 0) return 'no values';
  return distinct === 1 ? 'one value' : 'all different';
}

function TopValues({
  dataset,
  field,
  profile: { present, distinct = 0 },
  values,
}: {
  readonly dataset: string;
  readonly field: FieldDefinition;
  readonly profile: FieldProfile;
  readonly values: readonly CountedValue[];
}) {
  const greatest = values[0]?.count ?? 1;
  const more = distinct - values.length;
  return (
    <ul className={styles.values}>
      {values.map(({ value, count }) => (
        <li key={String(value)}>
          <span
            className={styles.share}
            style={{ inlineSize: `${(count / greatest) * 100}%` }}
            aria-hidden="true"
          />
          <Link
            to="/datasets/$dataset/records"
            params={{ dataset }}
            search={{ filters: [{ fieldName: field.name, operator: '==', value: value ?? '' }] }}
            className={styles.value}
            dir="auto"
          >
            {formatValue(field, value)?.text}
          </Link>
          <span className={styles.portion}>{formatShare(count / present)}</span>
        </li>
      ))}
      {more > 0 && <li className={styles.quiet}>and {formatCount(more)} more</li>}
    </ul>
  );
}

const WIDTH = 160;
const HEIGHT = 36;

function Histogram({
  field,
  bars,
}: {
  readonly field: FieldDefinition;
  readonly bars: readonly Bar[];
}) {
  const greatest = Math.max(...bars.map(({ size }) => size));
  const width = WIDTH / bars.length;
  const peak = bars.find(({ size }) => size === greatest);
  return (
    <svg
      className={styles.histogram}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Histogram of ${field.name}${peak === undefined ? '' : `: most values ${wordsOf(field, peak)}`}`}
    >
      {bars.map((bar, index) => {
        const height = bar.size === 0 ? 0 : Math.max(1, (bar.size / greatest) * HEIGHT);
        return (
          <rect
            key={String(bar.from)}
            x={index * width}
            y={HEIGHT - height}
            width={Math.max(0.5, width - 1)}
            height={height}
          >
            <title>
              {`${wordsOf(field, bar)}: ${bar.from === bar.to ? formatCount(bar.size) : `about ${formatShare(bar.size)}`}`}
            </title>
          </rect>
        );
      })}
    </svg>
  );
}

function wordsOf(field: FieldDefinition, { from, to }: Bar): string {
  if (from === to) return formatValue(field, from)?.text ?? '';
  return `from ${formatNumber(roundTo(Number(from)))} to ${formatNumber(roundTo(Number(to)))}`;
}

/** Edges of bars need no more digits than can be told apart. */
function roundTo(value: number): number {
  return Number(value.toPrecision(4));
}

function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1 %';
  return `${formatNumber(Number((share * 100).toFixed(share < 0.1 ? 1 : 0)))} %`;
}
