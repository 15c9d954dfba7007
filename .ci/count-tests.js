// Prints how many tests passed and failed, from vitest's JSON report and the exit code of npm test, and
// appends the name and the first lines of each failed test to another file.
import { appendFileSync, readFileSync } from 'node:fs';

const LINES = 8;

const [, , path, status, failures] = process.argv;
let passed = 0;
let failed = 0;
try {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed = report.numPassedTests;
  failed = report.numFailedTests;
  for (const file of report.testResults) {
    for (const test of file.assertionResults) {
      if (test.status !== 'failed') continue;
      const message = test.failureMessages.join('\n').split('\n').slice(0, LINES).join('\n    ');
      appendFileSync(failures, `FAILED ${file.name}\n  ${test.fullName}\n    ${message}\n`);
    }
    if (file.status === 'failed' && file.message)
      appendFileSync(failures, `FAILED ${file.name}\n  ${file.message}\n`);
  }
} catch {
  failed = 1;
}
if (status !== '0' && !(failed > 0)) failed = 1;
process.stdout.write(`${passed} ${failed}\n`);
