import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../../packages/locmetrics/test/support/use-temporary-folder.ts';
import { runProgram } from '../src/systems/run-program.ts';

const inFolder = useTemporaryFolder();
const ENTRY_POINT = fileURLToPath(new URL('../src/publish-memory/main.ts', import.meta.url));

test.each(['parquet', 'csv'])(
  'publishes of %s are reported with their memory',
  { tags: 'slow' },
  async (format) => {
    const data = inFolder(format);
    const parameters = [ENTRY_POINT, '--rows', '1000', '--format', format, '--data', data];
    const told = await runProgram(process.execPath, parameters);
    const lines = told.trimEnd().split('\n');
    const measured = ' in \\d+\\.\\d s, [\\d,]+ rows/s, 0\\.\\d\\d GiB resident at most$';
    expect(lines.length).toBe(3);
    expect(lines[0]).toMatch(new RegExp(`^publish: 1,000 rows of ${format}${measured}`));
    expect(lines[1]).toMatch(new RegExp(`^publish --append: 10 rows of ${format}${measured}`));
    expect(lines[2]).toMatch(
      new RegExp(`^publish --replace-period: 10 rows of ${format}${measured}`),
    );
    expect(lines.join()).not.toContain('0.00 GiB');
    expect(await readdir(data)).toEqual([]);
  },
);
