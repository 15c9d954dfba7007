import { type Colour, colourField } from '../../data/map-address.ts';
import { formatCompact, formatCount, formatNumber } from '../../format/numbers.ts';
import { describeColour } from './colours.ts';
import { hatchCss } from './hatch.ts';
import styles from './legend.module.css';
import type { View } from './open-map.ts';
import type { Palette } from './palette.ts';
import { classColours, type Scale, scaleClasses } from './scale.ts';

/** The meaning of the colours that are on the map now. */
export function Legend({
  view,
  scale,
  colour,
  palette,
}: {
  readonly view: View | undefined;
  readonly scale: Scale | undefined;
  readonly colour: Colour | undefined;
  readonly palette: Palette;
}) {
  if (view === undefined) return null;
  const hasPoints = view.hasPoints && (colour === undefined || view.pointsWithoutValue);
  const hasNothing = scale === undefined && !view.hasPoints && !view.cellsWithoutValue;
  return (
    <section aria-label="Legend" className={styles.legend}>
      {hasNothing && <p>There are no records here.</p>}
      {scale !== undefined && (
        <>
          <h2 className={styles.title}>{titleOf(view, colour)}</h2>
          <ScaleList scale={scale} palette={palette} />
        </>
      )}
      <ul className={styles.others}>
        {hasPoints && colour === undefined && (
          <li className={styles.entry}>
            <span className={styles.point} style={{ background: palette.point }} />
            One record
          </li>
        )}
        {colour !== undefined && view.pointsWithoutValue && (
          <li className={styles.entry}>
            <span className={styles.point} style={{ borderColor: palette.noValue }} />
            Record without a value of {colourField(colour)}
          </li>
        )}
        {colour !== undefined && view.cellsWithoutValue && (
          <li className={styles.entry}>
            <span className={styles.swatch} style={{ background: hatchCss(palette.noValue) }} />
            No value, or too few records to show it
          </li>
        )}
      </ul>
    </section>
  );
}

function ScaleList({ scale, palette }: { readonly scale: Scale; readonly palette: Palette }) {
  const classes = scaleClasses(scale);
  const colours = classColours(palette.ramp, classes.length);
  return (
    <ol className={styles.scale}>
      {classes.map(({ from, to }, index) => (
        <li key={from} className={styles.entry}>
          <span className={styles.swatch} style={{ background: colours[index] }} />
          {describeRange({ from, to, isLast: index === classes.length - 1 })}
        </li>
      ))}
    </ol>
  );
}

/** Cells are squares; records are points with the same colours. */
function titleOf(view: View, colour: Colour | undefined): string {
  if (colour !== undefined && view.cells.length === 0) return `${colourField(colour)} of a record`;
  const what = colour === undefined ? 'Records' : describeColour(colour);
  const inCells = `${what} in each cell, ${formatLength(view.cellWidthMetres)} wide`;
  return view.points.length === 0 ? inCells : `${inCells}, or of a record`;
}

function describeRange({
  from,
  to,
  isLast,
}: {
  readonly from: number;
  readonly to: number;
  readonly isLast: boolean;
}): string {
  const isWhole = Number.isInteger(from) && Number.isInteger(to);
  if (from === to || (isWhole && !isLast && to - from === 1)) return format(from);
  const last = isWhole && !isLast ? to - 1 : to;
  return `${format(from)} – ${format(last)}`;
}

/** In few characters from a million on; three digits of fractions. */
function format(value: number): string {
  if (Math.abs(value) >= 1_000_000) return formatCompact(value);
  return Math.abs(value) >= 100 || Number.isInteger(value)
    ? formatCount(value)
    : formatNumber(Number(value.toPrecision(3)));
}

function formatLength(metres: number): string {
  const rounded = Number(metres.toPrecision(2));
  return rounded >= 1000
    ? `${formatNumber(rounded / 1000)}\u00a0km`
    : `${formatNumber(rounded)}\u00a0m`;
}
