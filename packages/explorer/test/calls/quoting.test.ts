// @module-tag sized

import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testCount } from '../../../locmetrics/test/support/test-count.ts';
import { announceSeed } from '../../../locmetrics/test/support/test-seed.ts';
import type { CallContext } from '../../src/calls/call.ts';
import { LANGUAGES } from '../../src/calls/languages.ts';
import { quoteForShell, quoteJson, quotePython, quoteTypeScript } from '../../src/calls/quote.ts';

/** Texts are read back by the programs that a reader pastes them into. */
const seed = announceSeed('Texts in code');
const SIGNS = [
  ...`'"\`\\$!#%{}[]()<>&|;*?~ \n\r\t\0\u0007\u001b\u007f\u009b\u2028\u202e\ufeff\ud800é日😀`,
  '\\n',
  '$(id)',
  '$HOME',
  "'''",
  '"""',
  '\\u0041',
  '%s',
  'a',
];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }).map((signs) => signs.join('')),
  fc.string({ unit: 'binary' }),
);
const TEXTS = fc.sample(anyText, {
  seed,
  numRuns: testCount('TEXTS', { few: 100, all: 500 }),
});
const CONTEXT: CallContext = {
  url: 'http://127.0.0.1:1',
  organisationId: 'demo',
  token: undefined,
};

test('a shell reads any text as it was', () => {
  // No argument of a program has a null, or half of a pair of code units.
  const texts = TEXTS.map((text) => text.replaceAll('\0', '').toWellFormed());
  expect(argumentsOf(`printf '%s\\0' ${texts.map(quoteForShell).join(' ')}`)).toEqual(texts);
});

test('JSON and Node read any text as it was', () => {
  expect(JSON.parse(listOf(quoteJson))).toEqual(TEXTS);
  const program = `console.log(JSON.stringify(${listOf(quoteTypeScript)}))`;
  expect(JSON.parse(run(process.execPath, ['-'], program))).toEqual(TEXTS);
});

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
test.skipIf(!HAS_PYTHON)('Python reads any text as it was', () => {
  const program = `import json\nprint(json.dumps(${listOf(quotePython)}))`;
  expect(JSON.parse(run('python3', ['-'], program))).toEqual(TEXTS);
});

test('signs that are not seen or turn the text around are written as escapes', () => {
  const text = 'a\u202eb\u200bc\u2028d\u009be\u00a0f';
  for (const quote of [quoteJson, quoteTypeScript, quotePython]) {
    expect(quote(text).slice(1, -1)).toBe('a\\u202eb\\u200bc\\u2028d\\u009be\\u00a0f');
  }
});

test('bash hands curl and grpcurl any request as it was', () => {
  for (const value of TEXTS.slice(0, 30)) {
    const filters = [{ fieldName: value, operator: 'in', values: [value, 'a'] }];
    const call = {
      operation: 'listRecords',
      request: { dataReferenceName: value || 'a', filters, pageSize: 5 },
    } as const;
    expect(messageOf('curl', LANGUAGES.curl.write(call, CONTEXT).text)).toEqual(call.request);
    expect(messageOf('grpcurl', LANGUAGES.grpcurl.write(call, CONTEXT).text)).toEqual({
      data_reference_name: value || 'a',
      filters: [{ field_name: value, operator: 'in', values: [value, 'a'] }],
      page_size: 5,
    });
  }
});

function listOf(quote: (text: string) => string): string {
  return `[${TEXTS.map(quote).join(',\n')}]`;
}

/** The message after `-d`, as the program gets it. */
function messageOf(program: string, text: string): unknown {
  const given = argumentsOf(`${program}() { printf '%s\\0' "$@"; }\n${text}`);
  return JSON.parse(given[given.indexOf('-d') + 1] ?? '');
}

function argumentsOf(script: string): readonly string[] {
  return run('bash', ['-s'], script).split('\0').slice(0, -1);
}

function run(program: string, args: readonly string[], input: string): string {
  const env = {
    ...process.env,
    LOCMETRICS_TOKEN: 'lm_1',
    LOCMETRICS_GRPC_ADDRESS: 'localhost:1',
    LOCMETRICS_CA_FILE: 'ca.pem',
  };
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
