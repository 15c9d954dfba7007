import type { DatasetReader } from '../dataset/dataset-reader.ts';
import { nameWord } from '../dataset/world.ts';
import { drawIndex, type Random } from '../seeded-random.ts';
import { list, member } from './read-json.ts';
import type { Context, Facts, Question, RequestWorkload, Shape } from './workload.ts';

/** W3: the first names that contain the typed text. */
export const TYPEAHEAD: RequestWorkload = {
  id: 'W3',
  title: 'typeahead on distinct values, 10 values',
  protocol: 'http',
  shapes: new Map<string, Shape>([
    [
      'ours',
      shape('ours', (term) => ({
        request: {
          protocol: 'http',
          method: 'POST',
          path: '/v3/catalog/searchFieldValues',
          body: JSON.stringify({
            dataReferenceName: 'bench.names',
            field: { name: 'name' },
            term,
            pageSize: VALUES_COUNT,
          }),
        },
        read: ({ body }) => ({ ranked: list(member(body, 'values')) }),
      })),
    ],
    [
      'postgrest',
      shape('postgrest', (term) => ({
        request: {
          protocol: 'http',
          method: 'GET',
          path: `/names?select=name&name=ilike.*${term}*&order=name&limit=${VALUES_COUNT}`,
        },
        read: ({ body }) => ({ byName: list(body).map((row) => member(row, 'name')) }),
      })),
    ],
    [
      'postgrestSameShape',
      shape('postgrest', (term) => ({
        request: {
          protocol: 'http',
          method: 'GET',
          path: `/rpc/search_names?term=${term}&page_size=${VALUES_COUNT}`,
        },
        read: ({ body }) => ({ ranked: list(member(body, 'values')) }),
      })),
    ],
  ]),
};

const VALUES_COUNT = 10;
const TERM_LENGTHS = [3, 4, 5, 6, 7] as const;

function shape(system: Shape['system'], ask: (term: string) => Omit<Question, 'expect'>): Shape {
  return {
    system,
    ask: (random, context) => {
      const term = drawTerm(random, context);
      return { ...ask(term), expect: (dataset) => expectNames(dataset, term) };
    },
  };
}

/** The beginning of an existing word. */
function drawTerm(random: Random, { world }: Context): string {
  const word = nameWord(drawIndex(random, world.names));
  return word.slice(0, TERM_LENGTHS[drawIndex(random, TERM_LENGTHS.length)]);
}

async function expectNames(dataset: DatasetReader, term: string): Promise<Facts> {
  const query = (order: string): Promise<readonly (readonly unknown[])[]> =>
    dataset.rows(
      `SELECT name FROM names WHERE contains(lower(name), $1) ORDER BY ${order} LIMIT ${VALUES_COUNT}`,
      [term],
    );
  return {
    ranked: (await query('starts_with(lower(name), $1) DESC, name')).flat(),
    byName: (await query('name')).flat(),
  };
}
