import { DuckDBScalarFunction, VARCHAR } from '@duckdb/node-api';

/** A function from text to text for the engine. It is not called for NULL, of which it makes NULL. */
export function textFunction(
  name: string,
  compute: (text: string) => string,
): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name,
    returnType: VARCHAR,
    parameterTypes: [VARCHAR],
    mainFunction: (_info, input, output) => {
      const texts = input.getColumnVector(0);
      for (let row = 0; row < input.rowCount; row += 1) {
        const text = texts.getItem(row);
        output.setItem(row, typeof text === 'string' ? compute(text) : null);
      }
      output.flush();
    },
  });
}
