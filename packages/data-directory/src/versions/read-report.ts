import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { REPORT_FILE } from './data-directory.ts';
import type { PublishReport } from './publish-report.ts';

/** Reads the report in the folder of a version. Throws a `DataDirectoryError` if it is missing or damaged. */
export function readReport(folder: string): PublishReport {
  const path = join(folder, REPORT_FILE);
  const report = parseReport(path);
  if (isReport(report)) return report;
  throw new DataDirectoryError(`${path} is damaged or missing.`, DAMAGED_HINT);
}

const DAMAGED_HINT = 'Restore it from a backup, or publish the dataset again.';

/** Undefined if the file cannot be read, or is not JSON. */
function parseReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Only a publish writes the file, and its checksum is checked at the start; this finds files that were cut since. */
function isReport(report: unknown): report is PublishReport {
  if (typeof report !== 'object' || report === null) return false;
  return !('notices' in report) || Array.isArray(report.notices);
}
