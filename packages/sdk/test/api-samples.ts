import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DescribedApi,
  withTypeScriptSamples,
} from '../../explorer/src/api-reference/typescript-samples.ts';

/** Writes the samples that the viewer of the API reference shows, and returns the names of their files. */
export function writeApiSamples(folder: string, api: DescribedApi): readonly string[] {
  const { paths } = withTypeScriptSamples(api, 'http://127.0.0.1:8080');
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ operationId, 'x-codeSamples': samples = [] }) =>
    samples.map(({ source }) => {
      const name = `${operationId}.ts`;
      writeFileSync(join(folder, name), source);
      return name;
    }),
  );
}
