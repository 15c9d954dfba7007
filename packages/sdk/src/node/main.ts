#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { createClient } from '../client.ts';
import { LocmetricsError } from '../errors.ts';
import { datasetTypes } from './dataset-types.ts';

const HELP = `Usage: locmetrics-client types [--url <url>] > datasets.d.ts

Prints TypeScript types of the datasets that a token may see, for createClient<Datasets>.

  --url <url>   the address of the service; default: LOCMETRICS_URL
  --help        prints this

The token is that of LOCMETRICS_TOKEN.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { url: { type: 'string' }, help: { type: 'boolean' } },
    });
    if (values.help) return print(HELP);
    if (positionals.length !== 1 || positionals[0] !== 'types') return fail(HELP, 2);
    const { LOCMETRICS_URL, LOCMETRICS_TOKEN: token } = process.env;
    const url = values.url ?? LOCMETRICS_URL;
    if (url === undefined) return fail('The address is missing: set --url or LOCMETRICS_URL.\n', 2);
    if (token === undefined) return fail('The token is missing: set LOCMETRICS_TOKEN.\n', 2);
    return print(datasetTypes(await createClient({ url, token }).listDataReferences(), url));
  } catch (error) {
    if (error instanceof LocmetricsError) return fail(`${error.message}\n`, 1);
    // The errors of `parseArgs` are about arguments.
    if (error instanceof TypeError) return fail(`${error.message}\n`, 2);
    throw error;
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function fail(text: string, code: number): number {
  process.stderr.write(text);
  return code;
}
