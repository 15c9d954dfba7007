import { keepGoProgram } from './keep-go-program.ts';
import { keepNpmPackages } from './keep-npm-packages.ts';
import { keepPythonPackages } from './keep-python-packages.ts';
import type { Say } from './keep-tool.ts';

/**
 * The published tools that the tests use, each with its release. Each function returns a folder, or undefined if the
 * tool cannot be had here; the reason is printed.
 */

/** The reference release of the client. It needs a pre-release, which pip installs only if it is named. */
const PYTHON_CLIENT = ['unacatlib==0.0.101', 'betterproto[compiler]==2.0.0b7'];

/** Reads Avro files. */
const AVRO_READER = 'fastavro==1.13.1';

/** The programs of an environment with the published Python client. One use does not see what another one installs. */
export function keepPythonClient(use: 'client' | 'page', say: Say): string | undefined {
  const packages = use === 'client' ? [...PYTHON_CLIENT, AVRO_READER] : PYTHON_CLIENT;
  return keepPythonPackages(`python-${use}`, packages, say);
}

/** The programs that read the OpenAPI document in Python. */
export function keepApiPrograms(say: Say): string | undefined {
  const packages = ['openapi-python-client==0.29.1', 'schemathesis==4.32.5'];
  return keepPythonPackages('api-python', packages, say);
}

/** The packages that read the OpenAPI document in Node. */
export function keepApiPackages(say: Say): string | undefined {
  const packages = [
    'openapi-fetch@0.17.0',
    'openapi-typescript@7.13.0',
    '@redocly/cli@2.77.0',
    '@stoplight/spectral-cli@6.16.3',
    '@hey-api/openapi-ts@0.99.0',
    'typescript@5.9.3',
  ];
  return keepNpmPackages('api-npm', packages, { say, runsScripts: false });
}

export const NODE_20 = `node-${process.platform}-${process.arch}`;

/** Node 20, Deno and Bun. */
export function keepRuntimes(say: Say): string | undefined {
  return keepNpmPackages('runtimes', [`${NODE_20}@20.20.2`, 'deno@2.9.6', 'bun@1.4.5'], { say });
}

/** The language server of editors for YAML. */
export function keepLanguageServer(say: Say): string | undefined {
  return keepNpmPackages('yaml', ['yaml-language-server@2.0.0'], { say });
}

/** A current ClickHouse as a library, of 543 MB. */
export function keepChdb(say: Say): string | undefined {
  return keepNpmPackages('chdb', ['chdb@3.4.0'], { say, hasEveryPlatform: false });
}

export function keepGrpcurl(say: Say): string | undefined {
  const module = 'github.com/fullstorydev/grpcurl';
  return keepGoProgram('grpcurl', { module, command: 'cmd/grpcurl', release: 'v1.9.4' }, say);
}

export function keepOapiCodegen(say: Say): string | undefined {
  const module = 'github.com/oapi-codegen/oapi-codegen/v2';
  const command = 'cmd/oapi-codegen';
  return keepGoProgram('oapi-codegen', { module, command, release: 'v2.8.2' }, say);
}
