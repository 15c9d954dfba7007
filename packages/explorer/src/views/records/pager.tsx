import type { ListRecordsResponse } from '@locmetrics/client';
import { PAGE_SIZES, type PageSize } from '../../data/records-address.ts';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './pager.module.css';

/** The place of the page in all records, and buttons for the pages before and after it. */
export function Pager({
  answer: { records, totalSize, nextPageToken },
  firstNumber,
  size,
  isStale,
  onNext,
  onPrevious,
  isPreviousKnown,
  onSize,
}: {
  readonly answer: Pick<ListRecordsResponse, 'records' | 'totalSize' | 'nextPageToken'>;
  readonly firstNumber: number;
  readonly size: PageSize;
  /** Another page is on its way. */
  readonly isStale: boolean;
  readonly onNext: () => void;
  /** Absent on the first page. */
  readonly onPrevious: (() => void) | undefined;
  /** Otherwise `onPrevious` leads to the first page. */
  readonly isPreviousKnown: boolean;
  readonly onSize: (size: PageSize) => void;
}) {
  const last = firstNumber + records.length - 1;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <Button onPress={() => onPrevious?.()} isDisabled={onPrevious === undefined}>
        {isPreviousKnown ? '← Previous' : '← First page'}
      </Button>
      <Button
        onPress={() => {
          if (!isStale) onNext();
        }}
        isDisabled={nextPageToken === ''}
      >
        Next →
      </Button>
      {records.length > 0 && (
        <p role="status">
          Records {formatCount(firstNumber)}–{formatCount(last)} of {formatCount(totalSize)}
        </p>
      )}
      <div className={styles.size}>
        <Select
          label="Records per page"
          isLabelHidden
          choices={SIZES}
          value={`${size}`}
          onChange={(text) => {
            const chosen = PAGE_SIZES.find((one) => `${one}` === text);
            if (chosen !== undefined) onSize(chosen);
          }}
        />
      </div>
    </nav>
  );
}

const SIZES = PAGE_SIZES.map((size) => ({ value: `${size}`, label: `${size} per page` }) as const);
