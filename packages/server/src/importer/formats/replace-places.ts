import type { FoundProblems } from '../problems/found-problems.ts';
import type { RowProblem } from '../problems/import-error.ts';
import type { OpenedRows, RowFormat, RowPlace } from './row-format.ts';

/** The result of opening a file that was copied as text, with the places of the original instead of the lines of the copy. */
export function replaceLines(
  opened: Awaited<ReturnType<RowFormat['open']>>,
  placeOf: (line: number) => RowPlace,
): Awaited<ReturnType<RowFormat['open']>> {
  return 'found' in opened
    ? { found: inFound(opened.found, placeOf) }
    : { rows: inRows(opened.rows, placeOf) };
}

type PlaceOf = (line: number) => RowPlace;

function inRows(rows: OpenedRows, placeOf: PlaceOf): OpenedRows {
  return {
    ...rows,
    scan: async () => {
      const scanned = await rows.scan();
      return 'found' in scanned ? { found: inFound(scanned.found, placeOf) } : scanned;
    },
    findRejects: async () => inFound(await rows.findRejects(), placeOf),
    explainFailure: async (error) => inFound(await rows.explainFailure(error), placeOf),
    locate: async (numbers) => {
      const places = await rows.locate(numbers);
      return new Map([...places].map(([number, place]) => [number, inPlace(place, placeOf)]));
    },
  };
}

function inFound(found: FoundProblems, placeOf: PlaceOf): FoundProblems {
  return {
    ...found,
    examples: found.examples.map((example) => ({
      ...example,
      problem: inPlace(example.problem, placeOf),
    })),
  };
}

function inPlace<Place extends RowPlace | RowProblem>(place: Place, placeOf: PlaceOf): Place {
  const { line, ...rest } = place;
  if (line === undefined) return place;
  // The rest has all members of the place but one that is optional.
  return { ...(rest as Place), ...placeOf(line) };
}
