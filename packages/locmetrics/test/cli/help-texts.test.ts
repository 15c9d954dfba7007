import { expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';

test('a setting is described from a small letter on, and abbreviations keep their capitals', async () => {
  const { data: output } = await runCommand(['serve', '--help']);
  expect(output).toMatch(/--public-url <url> +URL at which/);
  expect(output).toMatch(/--https <host:port> +address of/);
  expect(output).not.toMatch(/\b(?!gRPC)[a-z][A-Z]{2}/);
});
