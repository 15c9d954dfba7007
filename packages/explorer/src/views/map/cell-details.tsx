import type { Box } from '../../data/box.ts';
import { type Colour, colourField, measureOf } from '../../data/map-address.ts';
import { formatCount, formatNumber } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { describeColour } from './colours.ts';
import styles from './details.module.css';
import type { FoundCell } from './found.ts';

/** A cell: how many records it has, their measure, and the ways to the records themselves. */
export function CellDetails({
  cell: { box, values },
  colour,
  onZoom,
  onBox,
}: {
  readonly cell: FoundCell;
  readonly colour: Colour | undefined;
  readonly onZoom: (box: Box) => void;
  readonly onBox: (box: Box) => void;
}) {
  const { count } = values;
  const measure = measureOf(colour);
  const measured = measure === undefined ? undefined : values[measure];
  return (
    <>
      <dl className={styles.fields}>
        <div>
          <dt>Records</dt>
          <dd>{typeof count === 'number' ? formatCount(count) : '—'}</dd>
        </div>
        {measure !== undefined && (
          <div>
            <dt>{describeColour(measure)}</dt>
            <dd>
              {typeof measured === 'number'
                ? formatNumber(measured)
                : `Not shown: no record has a ${colourField(measure)}, or there are too few.`}
            </dd>
          </div>
        )}
      </dl>
      <div className={styles.actions}>
        <Button kind="primary" onPress={() => onZoom(box)}>
          Zoom in
        </Button>
        <Button onPress={() => onBox(box)}>Use this cell as the box</Button>
      </div>
    </>
  );
}
