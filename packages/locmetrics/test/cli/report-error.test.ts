import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { InterruptedError } from '../../src/cli/interrupted-error.ts';
import { reportError } from '../../src/cli/report-error.ts';
import { ConfigError } from '../../src/config/config-error.ts';

/** An error as the operating system reports it. */
function systemError(code: string, more: Readonly<Record<string, unknown>>): Error {
  return Object.assign(new Error(`x ${code}: words`), { code, syscall: 'x', ...more });
}

test.each([
  [
    systemError('EADDRINUSE', { flag: '--metrics', address: '127.0.0.1', port: 9090 }),
    '--metrics: x EADDRINUSE: words\nAnother program already listens on this address. Choose another address, such as --metrics 127.0.0.1:9091, or port 0 for a free one.\n',
  ],
  [
    systemError('EADDRINUSE', { flag: '--https', address: '::', port: 65_535 }),
    '--https: x EADDRINUSE: words\nAnother program already listens on this address. Choose another address, such as --https [::]:8080, or port 0 for a free one.\n',
  ],
  [
    systemError('EADDRNOTAVAIL', { flag: '--grpc', address: '10.9.8.7', port: 8443 }),
    '--grpc: x EADDRNOTAVAIL: words\nThis machine does not have this address. Choose another address, such as --grpc 127.0.0.1:8444.\n',
  ],
  [
    systemError('EACCES', { flag: '--https', address: '127.0.0.1', port: 443 }),
    '--https: x EACCES: words\nYou do not have the right to listen on this port. Choose another address, such as --https 127.0.0.1:8080.\n',
  ],
  [
    systemError('EACCES', { path: '/srv/data' }),
    'x EACCES: words\nYou do not have the permission. Ask for it, or choose another directory: --data DIRECTORY.\n',
  ],
  [systemError('EXYZ', { path: '/srv' }), 'x EXYZ: words\nThe operating system refused it.\n'],
])('a system error is reported with a hint: $message', (error, said) => {
  expect(report(error)).toEqual({ code: 1, messages: said });
});

test.each([
  [new CommanderError(0, 'commander.helpDisplayed', ''), 0, ''],
  [new CommanderError(1, 'commander.unknownCommand', ''), 2, ''],
  [new ConfigError('What.', 'Do.'), 2, 'What.\nDo.\n'],
  [new InterruptedError('SIGINT'), 130, 'Stopped before the end: nothing was changed.\n'],
  [new InterruptedError('SIGTERM'), 143, 'Stopped before the end: nothing was changed.\n'],
])('%s ends with %i', (error, code, messages) => {
  expect(report(error)).toEqual({ code, messages });
});

test('a bug is reported with its stack, and a thrown value that is not an error is thrown again', () => {
  expect(report(new TypeError('oops'))).toEqual({
    code: 1,
    messages: expect.stringMatching(/^TypeError: oops\n {4}at /),
  });
  expect(() => report('oops')).toThrow('oops');
});

function report(error: unknown): { readonly code: number; readonly messages: string } {
  let messages = '';
  const code = reportError(
    error,
    {
      data: () => {},
      messages: (text) => {
        messages += text;
      },
      isTerminal: false,
      columns: 80,
    },
    { data: false, messages: false },
  );
  return { code, messages };
}
