import type { DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api';
import { DuckDBDateValue } from '@duckdb/node-api';
import { dayNumber } from '@locmetrics/core/dates/day-number';
import type { TypedColumn, ValueVisitor, VisitRecord } from '@locmetrics/core/domain/value-visitor';

/** Fills a chunk of the engine with rows. Returns about how many bytes their texts have. */
export function fillVectors(
  chunk: DuckDBDataChunk,
  columns: readonly TypedColumn[],
  rows: { readonly from: number; readonly size: number; readonly visit: VisitRecord },
): number {
  chunk.rowCount = rows.size;
  const vectors = columns.map((_, index) => chunk.getColumnVector(index));
  const filling = { row: 0, textBytes: 0 };
  const visitor = vectorVisitor(columns, vectors, filling);
  for (; filling.row < rows.size; filling.row += 1) rows.visit(rows.from + filling.row, visitor);
  for (const vector of vectors) vector.flush();
  return filling.textBytes;
}

function vectorVisitor(
  columns: readonly TypedColumn[],
  vectors: readonly DuckDBVector[],
  filling: { readonly row: number; textBytes: number },
): ValueVisitor {
  const types = columns.map(({ type }) => type);
  return {
    text: (field, { bytes }, start, end) => {
      filling.textBytes += end - start;
      vectors[field]?.setItem(filling.row, bytes.toString('utf8', start, end));
    },
    number: (field, value) => {
      vectors[field]?.setItem(filling.row, types[field] === 'integer' ? BigInt(value) : value);
    },
    day: (field, days) => {
      vectors[field]?.setItem(filling.row, new DuckDBDateValue(days));
    },
    value: (field, value) => {
      const isDay = typeof value === 'string' && types[field] === 'date';
      if (typeof value === 'string') filling.textBytes += value.length;
      vectors[field]?.setItem(filling.row, isDay ? new DuckDBDateValue(dayNumber(value)) : value);
    },
  };
}
