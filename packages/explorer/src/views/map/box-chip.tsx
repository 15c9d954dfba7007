import type { FilterClause } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import type { Box } from '../../data/box.ts';
import { countQuery } from '../../data/map-queries.ts';
import { recordsHref } from '../../data/view-links.ts';
import { formatBox } from '../../format/box.ts';
import { formatCount } from '../../format/numbers.ts';
import { useSession } from '../../session/session-context.tsx';
import { Chip } from '../../ui/chip.tsx';

/** The box with the exact number of its records, which the service counts, and the way to them. */
export function BoxChip({
  dataset,
  filters,
  box,
  onRemove,
}: {
  readonly dataset: string;
  readonly filters: readonly FilterClause[] | undefined;
  readonly box: Box;
  readonly onRemove: () => void;
}) {
  const count = useQuery(countQuery(useSession(), dataset, { filters, box }));
  return (
    <>
      <Chip title={formatBox(box)} removeLabel="Remove the box" onRemove={onRemove}>
        Box: {formatBox(box)}
      </Chip>
      <li>
        {count.data === undefined ? (
          <span role="status">{count.error === null ? 'Counting…' : count.error.message}</span>
        ) : (
          <a href={recordsHref(dataset, { filters, box })}>
            Show {formatCount(count.data)} {count.data === 1 ? 'record' : 'records'}
          </a>
        )}
      </li>
    </>
  );
}
