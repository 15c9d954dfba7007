import { DOUBLE, type DuckDBConnection, DuckDBScalarFunction, VARCHAR } from '@duckdb/node-api';

/** A text that follows from a latitude and a longitude, or null. */
export type PointFunction = (latitude: number, longitude: number) => string | null;

/**
 * Adds a function of SQL with two numbers. It is NULL where one of them is. The engine calls it for some thousand rows
 * at a time, between which the event loop runs.
 */
export function addPointFunction(
  connection: DuckDBConnection,
  name: string,
  compute: PointFunction,
): void {
  const added = DuckDBScalarFunction.create({
    name,
    parameterTypes: [DOUBLE, DOUBLE],
    returnType: VARCHAR,
    mainFunction: (_info, input, output) => {
      const latitudes = input.getColumnVector(0);
      const longitudes = input.getColumnVector(1);
      for (let row = 0; row < input.rowCount; row += 1) {
        const latitude = latitudes.getItem(row);
        const longitude = longitudes.getItem(row);
        const isPoint = typeof latitude === 'number' && typeof longitude === 'number';
        output.setItem(row, isPoint ? compute(latitude, longitude) : null);
      }
      output.flush();
    },
  });
  connection.registerScalarFunction(added);
}
