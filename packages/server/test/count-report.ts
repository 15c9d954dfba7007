import { readFileSync } from 'node:fs';

/** The tests of a JSON report of vitest; a report that cannot be read is one failure. */
export function countReport(path: string): { readonly passed: number; readonly failed: number } {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    return { passed: report.numPassedTests, failed: report.numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
