import type { Dataset } from '@locmetrics/core/domain/dataset';
import { UNITS_PER_DEGREE } from '@locmetrics/core/geometry/ring';
import {
  COSINE_SERIES,
  EIGHTH_TURN,
  QUARTER_TURN,
  RADIANS_PER_UNIT,
  SINE_SERIES,
} from '@locmetrics/core/geometry/unit-vector';
import type { RecordPart } from './merge-records.ts';
import { sortedColumn } from './sort-records.ts';

/** The values of `VECTOR_COLUMNS` in a part with vectors. */
export const VECTOR_VALUES = ['_x', '_y', '_z'] as const;

/**
 * A part of the records with the unit vectors of their points too, if the dataset has them: the steps of `unitVector`, one
 * operation at a time. Each step is a query of its own, so that no expression is repeated within another.
 */
export function withVectors(part: RecordPart, { fields, vectors }: Dataset): RecordPart {
  if (vectors === undefined) return part;
  const column = (name: string) => sortedColumn(fields.findIndex((field) => field.name === name));
  const degrees = { _east: column(vectors.longitude), _north: column(vectors.latitude) };
  const add = (query: string, step: (angle: string) => Readonly<Record<string, string>>) => {
    const columns = Object.keys(degrees).flatMap((angle) =>
      Object.entries(step(angle)).map(([name, value]) => `${value} AS ${angle}${name}`),
    );
    return `SELECT *, ${columns.join(', ')} FROM (${query})`;
  };
  const units = add(part, (angle) => ({
    _units: `floor(${angle === '_east' ? degrees._east : degrees._north} * ${double(UNITS_PER_DEGREE)} + ${double(0.5)})`,
  }));
  const turns = add(units, (angle) => ({
    _turns: `floor((${angle}_units + ${double(EIGHTH_TURN)}) / ${double(QUARTER_TURN)})`,
  }));
  const angles = add(turns, (angle) => ({
    _angle: `(${angle}_units - ${angle}_turns * ${double(QUARTER_TURN)}) * ${double(RADIANS_PER_UNIT)}`,
    _turn: `${angle}_turns - ${double(4)} * floor(${angle}_turns / ${double(4)})`,
  }));
  const squares = add(angles, (angle) => ({ _square: `${angle}_angle * ${angle}_angle` }));
  const sums = add(squares, (angle) => ({
    _s: `${angle}_angle + ${angle}_angle * (${angle}_square * ${sumOf(SINE_SERIES, `${angle}_square`)})`,
    _c: `${double(1)} + ${angle}_square * ${sumOf(COSINE_SERIES, `${angle}_square`)}`,
  }));
  const turned = add(sums, (angle) => ({
    _sine: byTurn(`${angle}_turn`, [`${angle}_s`, `${angle}_c`, `-${angle}_s`, `-${angle}_c`]),
    _cosine: byTurn(`${angle}_turn`, [`${angle}_c`, `-${angle}_s`, `-${angle}_c`, `${angle}_s`]),
  }));
  const [x, y, z] = [
    '_north_cosine * _east_cosine',
    '_north_cosine * _east_sine',
    // Absent without a longitude too.
    'CASE WHEN _east_units IS NOT NULL THEN _north_sine END',
  ].map((value) => `CASE WHEN ${value} = 0 THEN ${double(0)} ELSE ${value} END`);
  const [nameOfX, nameOfY, nameOfZ] = VECTOR_VALUES;
  return `SELECT *, ${x} AS ${nameOfX}, ${y} AS ${nameOfY}, ${z} AS ${nameOfZ} FROM (${turned})`;
}

function byTurn(turn: string, values: readonly string[]): string {
  const cases = values.map((value, quarter) => `WHEN ${double(quarter)} THEN ${value}`);
  return `CASE ${turn} ${cases.join(' ')} END`;
}

/** By Horner's scheme. */
function sumOf([first = 0, ...others]: readonly number[], square: string): string {
  return others.reduce(
    (sum, coefficient) => `(${sum} * ${square} + ${double(coefficient)})`,
    double(first),
  );
}

/** Without quotes a number would be a DECIMAL. */
function double(number: number): string {
  return `CAST('${number}' AS DOUBLE)`;
}
