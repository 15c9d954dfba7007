import { toEngineError } from '@locmetrics/column-store/publish/engine-error';
import { explainDraftError } from '@locmetrics/ingest/draft/explain-draft-error';
import { PublishError } from '@locmetrics/ingest/problems/publish-error';
import { expect, test } from 'vitest';
import { refusalByManifest } from './import-by-manifest.ts';

test('a file without any column of an unpivot is refused by our own message', async () => {
  const declaration = (columns: string) => `files: p.csv
rows:
  - unpivot: { name: year, values: { population: ${columns} } }
key: [area, year]
fields:
  area: { type: string }
  year: { type: date, format: YYYY }
  population: { type: integer }`;
  const files = { 'p.csv': 'x,y\n1,2\n' };
  expect(await refusalByManifest(declaration("['2020', '2021']"), files)).toContain(
    `rows[0].unpivot.values.population: there is no column '2020'. Known: x, y.`,
  );
  expect(await refusalByManifest(declaration('POP####'), files)).toContain(
    `rows[0].unpivot.values.population: no column matches 'POP####'.`,
  );
});

const GIVEN = { datasetName: 'town.shops', stage: 'comparing', file: '/data/shops.csv' };

test('an error of the engine while a draft is made names the file and the stage', () => {
  const error = explainDraftError(
    toEngineError(
      new Error('Failed to extract statements: Parser Error: syntax error at or near "x"\nLINE 1'),
    ),
    GIVEN,
  );
  expect(error).toBeInstanceOf(PublishError);
  expect(error).toMatchObject({
    message:
      'town.shops: the database engine failed while comparing /data/shops.csv (syntax error at or near "x"). Nothing was written.',
  });
});

test('an unexpected error while a draft is made names the file and the stage', () => {
  expect(explainDraftError(new Error('The fields cannot be read.\nmore'), GIVEN)).toMatchObject({
    name: 'PublishError',
    message:
      'town.shops: init failed while comparing /data/shops.csv (The fields cannot be read.). Nothing was written.',
  });
});

test('an error with a message of its own is kept', () => {
  const known = new PublishError('town.shops has no rows.', 'Choose another file.');
  expect(explainDraftError(known, GIVEN)).toBe(known);
});
