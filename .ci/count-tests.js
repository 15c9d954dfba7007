// Prints how many tests passed and failed, from vitest's JSON report and the exit code of npm test.
import { readFileSync } from 'node:fs';

const [, , path, status] = process.argv;
let passed = 0;
let failed = 0;
try {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed = report.numPassedTests;
  failed = report.numFailedTests;
} catch {
  failed = 1;
}
if (status !== '0' && !(failed > 0)) failed = 1;
process.stdout.write(`${passed} ${failed}\n`);
