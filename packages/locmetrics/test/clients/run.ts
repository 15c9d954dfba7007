/**
 * Tests the service with published clients, and runs the examples in Python and R of the pages, against a server with the sample:
 * `npm run test:clients`. It needs Python 3 and the Python Package Index. If one of them is missing, it says so and
 * tests nothing. The last line of the output is `N passed, N failed`.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareRun } from '../support/prepare-run.ts';
import { keepPythonClient } from '../tools/tools.ts';
import { runPages } from './run-pages.ts';
import { runPythonTabs } from './run-python-tabs.ts';
import { runOnSample, type Sample, startSample } from './start-sample.ts';

const FOLDER = import.meta.dirname;
const FIXTURE = join(FOLDER, '..', 'fixtures', 'trips', 'locmetrics.yaml');

const { workspace, say, report, count, end } = prepareRun();

const programs = keepPythonClient('client', say);
if (programs !== undefined) {
  const python = join(programs, 'python');
  const sample = await startSample(workspace);
  // The sample has no dimension and no related layer.
  runOnSample(sample, ['publish', FIXTURE]);
  runTests(python, sample);
  sample.process.kill('SIGTERM');
  // Then the page, which knows the sample only, and whose packages trust other authorities than the tests do.
  const ofPage = keepPythonClient('page', say);
  if (ofPage !== undefined) {
    const folder = join(workspace, 'page');
    mkdirSync(folder);
    const sampleOfPage = await startSample(folder);
    const options = { sample: sampleOfPage, folder, report, say };
    runPages(join(ofPage, 'python'), options);
    runPythonTabs(join(ofPage, 'python'), options);
    sampleOfPage.process.kill('SIGTERM');
  }
}
end();

function runTests(python: string, { environment, log }: Sample): void {
  const { status, stderr } = spawnSync(
    python,
    ['-W', 'ignore', '-m', 'unittest', 'discover', '-v', '-s', FOLDER, '-p', '*_test.py'],
    {
      env: {
        ...process.env,
        ...environment,
        // Python's ssl module trusts the certificates in this file.
        SSL_CERT_FILE: environment['LOCMETRICS_CA_FILE'],
        PYTHONDONTWRITEBYTECODE: '1',
      },
      // The client prints a spinner on standard output.
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  say(stderr);
  const ran = Number(/^Ran ([0-9]+) tests?/m.exec(stderr)?.[1] ?? 0);
  const failed = [...stderr.matchAll(/\.\.\. (FAIL|ERROR)$/gm)].length;
  const isGood = status === 0 && ran > 0;
  if (!isGood) say(`What the server logged of calls that failed:\n${failuresIn(log)}`);
  count({ passed: ran - failed, failed: isGood ? 0 : Math.max(failed, 1) });
}

function failuresIn(log: string): string {
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('{') && !line.includes('"status":"OK"')).join('\n');
}
