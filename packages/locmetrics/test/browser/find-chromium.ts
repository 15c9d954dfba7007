import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export type FoundChromium =
  | { readonly path: string }
  | { readonly path: undefined; readonly reason: string };

const VARIABLE = 'LOCMETRICS_TEST_CHROMIUM';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const DEBIAN_FOLDER = '/usr/bin';

/** The Chromium of `LOCMETRICS_TEST_CHROMIUM`, or else the first on the PATH or in `/usr/bin`. */
export function findChromium(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): FoundChromium {
  const named = environment[VARIABLE];
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return { path: named };
    return { path: undefined, reason: `${VARIABLE} is '${named}', which is not a program` };
  }
  const folders = [...(environment['PATH'] ?? '').split(delimiter), DEBIAN_FOLDER];
  const path = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  if (path !== undefined) return { path };
  const reason = `there is no ${NAMES.join(', ')} on the PATH; install Debian's chromium, or set ${VARIABLE}`;
  return { path: undefined, reason };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
