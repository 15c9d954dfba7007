import type { StreamFormat } from '@locmetrics/client';
import type { Cost } from '../../data/cost-queries.ts';
import { formatAgo } from '../../format/dates.ts';
import { countOf, formatBytes, formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { canWriteToDisk, MEMORY_BYTES_MAX } from '../../ui/file-target.ts';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { estimateBytes, formatChoices } from './save-formats.ts';
import styles from './saving.module.css';
import type { WholeResult } from './whole-result.ts';

const PERIODS = { rowsPerDay: 'today', rowsPerMonth: 'this month' } as const;

/** Asks for the format, and says what the file will have and what it costs. */
export function SaveForm<Format extends StreamFormat>({
  result: { noun, name, formats, sample },
  cost: { rows, costRows, limits },
  format,
  onFormat,
  onSave,
  onClose,
}: {
  readonly result: WholeResult<Format>;
  readonly cost: Cost;
  readonly format: Format;
  readonly onFormat: (format: Format) => void;
  readonly onSave: (rows: number) => void;
  readonly onClose: () => void;
}) {
  const bytes = estimateBytes(format, { rows, sample });
  const limitsOfRows = limits.flatMap(({ name: limit, ...rest }) =>
    limit === 'rowsPerDay' || limit === 'rowsPerMonth' ? [{ ...rest, period: PERIODS[limit] }] : [],
  );
  const exceeded = limitsOfRows
    .toSorted((one, other) => (one.left ?? Infinity) - (other.left ?? Infinity))
    .find(({ left }) => left !== undefined && left < costRows);
  const isTooLarge = !canWriteToDisk() && bytes !== undefined && bytes > MEMORY_BYTES_MAX;
  const facts: readonly Fact[] = [
    ['Rows', formatCount(rows)],
    ['Size', bytes === undefined ? 'not known before' : `about ${formatBytes(bytes)}`],
    ['File', `${name}.${format}`],
    ['Charged', countOf(costRows, 'row')],
    ...limitsOfRows.map(
      ({ period, left, limit }): Fact => [
        `Left ${period}`,
        left === undefined
          ? `of ${formatCount(limit)}: not known`
          : `${formatCount(left)} of ${formatCount(limit)}`,
      ],
    ),
  ];
  return (
    <>
      <Select label="Format" choices={formatChoices(formats)} value={format} onChange={onFormat} />
      <Facts facts={facts} />
      <p className={styles.hint}>
        {limitsOfRows.length === 0
          ? 'Your organisation has no limit on rows.'
          : 'Rows that are sent count against the limits of your organisation.'}{' '}
        {bytes !== undefined && `The size is an estimate from the ${noun}s that are shown.`}
      </p>
      {exceeded !== undefined && (
        <Notice
          kind="warning"
          title={`${countOf(costRows, 'row')} cannot be saved: ${formatCount(exceeded.left ?? 0)} are left ${exceeded.period}.`}
        >
          Choose fewer {noun}s with filters
          {costRows <= exceeded.limit && exceeded.endsInSeconds !== undefined
            ? `, or wait: the limit starts again ${formatAgo(Date.now() + exceeded.endsInSeconds * 1000)}, at midnight UTC.`
            : ', or ask the operator of the service for a higher limit.'}
        </Notice>
      )}
      {isTooLarge && (
        <Notice kind="warning" title="The file is probably too large for this browser.">
          It keeps a file in memory until it is complete, so that it can have at most{' '}
          {formatBytes(MEMORY_BYTES_MAX)}. Choose fewer {noun}s, or use Chrome or Edge over https,
          which write to the disk, or curl.
        </Notice>
      )}
      <div className={styles.actions}>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          kind="primary"
          onPress={() => onSave(rows)}
          isDisabled={exceeded !== undefined || rows === 0}
        >
          Save
        </Button>
      </div>
    </>
  );
}
