/**
 * `npm test` after the build: the checks of `npm run check` beside the quick tests, because neither needs two cores
 * all the time. The parameters go to vitest. The output of the checks follows when they end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const checking = spawn('npm', ['run', '--silent', 'check'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const tests = spawn('vitest', ['run', '--tags-filter=!slow', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
const tested = once(tests, 'close');

const [output, [checkStatus]] = await Promise.all([text(checking.stdout), once(checking, 'close')]);
const areChecked = checkStatus === 0;
if (!areChecked) process.stdout.write(`${output}\nThe checks failed; the tests go on.\n`);
const [testStatus] = await tested;
process.stdout.write(areChecked ? 'The checks passed.\n' : `${output}\nThe checks failed.\n`);
process.exitCode = areChecked && testStatus === 0 ? 0 : 1;
