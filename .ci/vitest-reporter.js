// A reporter of vitest. It writes how many tests passed and failed to one file, as `PASSED FAILED`, and appends what
// failed to another: tests, hooks of files and groups, files that cannot be imported, and errors that no test caught.
import { appendFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const LINES = 12;
const { LOCMETRICS_CI_COUNTS: countsFile, LOCMETRICS_CI_FAILURES: failuresFile } = process.env;

export default class {
  /** @param {readonly import('vitest/node').TestModule[]} modules @param {readonly import('vitest').SerializedError[]} unhandledErrors */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: 0 };
    const fail = (name, errors) => {
      counts.failed += 1;
      appendFileSync(failuresFile, `FAILED ${name}\n${errors.map(firstLines).join('')}`);
    };
    for (const module of modules) {
      const file = module.relativeModuleId;
      if (module.errors().length > 0) fail(file, module.errors());
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) fail(`${file} > ${suite.fullName}`, suite.errors());
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') counts.passed += 1;
        if (state === 'failed') fail(`${file} > ${test.fullName}`, errors);
      }
      if (['pending', 'queued'].includes(module.state())) fail(`${file}, which did not end`, []);
    }
    for (const error of unhandledErrors) fail('outside the tests: an unhandled error', [error]);
    writeFileSync(countsFile, `${counts.passed} ${counts.failed}\n`);
  }
}

function firstLines(error) {
  const origin = error.VITEST_TEST_NAME ?? error.VITEST_TEST_PATH;
  const text = stripVTControlCharacters(error.stack ?? `${error.name}: ${error.message}`);
  const lines = text.split('\n').filter((line) => !/\/node_modules\/(vite|vitest)\//.test(line));
  const difference = stripVTControlCharacters(error.diff ?? '')
    .split('\n')
    .filter((line) => /^[-+]/.test(line));
  return [
    ...(origin === undefined ? [] : [`while running ${origin}`]),
    ...lines.slice(0, LINES),
    ...difference.slice(0, LINES),
  ]
    .map((line) => `    ${line}\n`)
    .join('');
}
