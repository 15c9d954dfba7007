import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BASELINE, buildDescriptors, generateMessages } from './message-generation.ts';
import { CONTRACT, runBuf } from './run-buf.ts';

/**
 * Writes the messages to src/generated, and the baseline that later changes are compared with. A
 * change that breaks callers is refused before anything is written. To make such a change, delete the
 * baseline first; the review of the change then shows it.
 */
const baseline = join(CONTRACT, BASELINE);
check(runBuf('lint'));
if (existsSync(baseline)) check(runBuf('breaking', '--against', BASELINE));
generateMessages(CONTRACT);
buildDescriptors(baseline);

function check({ succeeded, output }: ReturnType<typeof runBuf>): void {
  if (succeeded) return;
  process.stderr.write(output);
  process.exit(1);
}
