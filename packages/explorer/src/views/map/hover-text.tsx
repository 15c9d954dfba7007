import type { Colour } from '../../data/map-address.ts';
import { colourField, measureOf } from '../../data/map-address.ts';
import { countOf, formatNumber } from '../../format/numbers.ts';
import { describeColour } from './colours.ts';
import type { Found } from './found.ts';
import { recordTitle } from './record-title.ts';

/** What the tooltip says about the records or the cell below the pointer. */
export function HoverText({
  found,
  name,
  colour,
}: {
  readonly found: Found;
  readonly name: string | undefined;
  readonly colour: Colour | undefined;
}) {
  if (found.kind === 'cell') {
    const { count } = found.cell.values;
    const measure = measureOf(colour);
    const measured = measure === undefined ? undefined : found.cell.values[measure];
    return (
      <>
        <strong>{countOf(typeof count === 'number' ? count : 0, 'record')}</strong>
        {measure !== undefined && (
          <div>
            {describeColour(measure)}: {valueText(measured)}
          </div>
        )}
      </>
    );
  }
  const [record, ...others] = found.records;
  if (record === undefined) return null;
  return (
    <>
      <strong>{recordTitle(record, name)}</strong>
      {colour !== undefined && (
        <div>
          {colourField(colour)}: {valueText(record.values[colourField(colour)])}
        </div>
      )}
      {others.length > 0 && <div>and {countOf(others.length, 'more record')}</div>}
    </>
  );
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'no value';
  return typeof value === 'number' ? formatNumber(value) : String(value);
}
