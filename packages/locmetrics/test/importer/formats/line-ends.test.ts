import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareLineEnds, evenLineEnds } from '@locmetrics/ingest/formats/even-line-ends';
import { inspectSourceFile } from '@locmetrics/ingest/formats/source-file';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scopedFolder } from '../../support/temporary-folder.ts';
import { testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';

const RUNS = testCount('TABLES', { few: 40, all: 1000 });

const DIALECT = { delimiter: ',', quote: '"', columnCount: 2, hasHeader: true, firstLine: 1 };

/** A value, or many of them: a chunk of the file ends anywhere then. */
const cells = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constantFrom('', 'a', ' b', '"c"', '"d\r\n"', '"\n""e""\r\n\n"', '"x,\r\ny"'),
  },
  { weight: 1, arbitrary: fc.constant(`"${'long\r\nvalue\n'.repeat(30_000)}"`) },
);
const rows = fc.array(
  fc.record({ values: fc.tuple(cells, cells), end: fc.constantFrom('\n', '\r\n') }),
  { minLength: 1, maxLength: 30 },
);

test('the ends of rows are made LF, and values keep theirs', async () => {
  const seed = announceSeed('line ends');
  await using folder = scopedFolder();
  const path = join(folder.path, 'a.csv');
  await fc.assert(
    fc.asyncProperty(rows, fc.boolean(), async (lines, endsOpen) => {
      const text = (endOf: (end: string) => string) =>
        lines
          .map(({ values, end }, index) => {
            const isLast = index === lines.length - 1;
            return values.join(',') + (isLast && endsOpen ? '' : endOf(end));
          })
          .join('');
      await writeFile(
        path,
        text((end) => end),
      );
      const found = await inspectSourceFile({
        path,
        label: 'a.csv',
        number: 0,
        manifestPlace: '',
        format: 'csv',
        stop: undefined,
      });
      if ('problem' in found) throw new Error(found.problem.reason);
      const even: Buffer[] = [];
      for await (const chunk of evenLineEnds(found.file, DIALECT)) even.push(chunk);
      expect(Buffer.concat(even).equals(Buffer.from(text(() => '\n')))).toBe(true);
      const ends = lines.slice(0, endsOpen ? -1 : undefined).map(({ end }) => end);
      const other = ends.findIndex((end) => end !== ends[0]);
      const before = lines
        .slice(0, Math.max(other, 0))
        .map(({ values }) => `${values.join(',')}\n`);
      expect(await compareLineEnds(found.file, DIALECT)).toEqual(
        other < 0
          ? undefined
          : {
              first: ends[0] === '\n' ? 'LF' : 'CRLF',
              other: ends[0] === '\n' ? 'CRLF' : 'LF',
              line: 1 + before.join('').replaceAll('\r\n', '\n').split('\n').length - 1,
              hasReturn: false,
            },
      );
    }),
    { numRuns: RUNS, seed },
  );
});
