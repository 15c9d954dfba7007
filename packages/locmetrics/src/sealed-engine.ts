import { EngineError } from '@locmetrics/column-store/publish/engine-error';
import {
  openSealedConnection,
  type SealedConnection,
} from '@locmetrics/column-store/publish/sealed-connection';
import type { FromSealed, ToSealed } from '@locmetrics/column-store/publish/sealed-process';
import { limitMemory, UNCOUNTED_BYTES } from './processes/limit-memory.ts';

/** The entry point of a process that runs SQL of a manifest for a publish, one statement after the other. */
let connection: SealedConnection | undefined;
/** A statement is stopped because it used up its time; then the publish ends. */
const stopping = new AbortController();

process.on('message', (message) => {
  // Only the publish that started this process sends messages.
  const received = message as ToSealed;
  if (received.kind === 'interrupt') stopping.abort();
  else answer(received).then(tell, (error: unknown) => tell(toFailed(error)));
});
// The publish has ended.
process.once('disconnect', () => process.exit());

async function answer(message: Exclude<ToSealed, { kind: 'interrupt' }>): Promise<FromSealed> {
  if (message.kind === 'open') {
    await limitMemory(message.options.memoryLimitBytes + UNCOUNTED_BYTES);
    connection = await openSealedConnection({
      ...message.options,
      onFraction: (fraction) => tell({ kind: 'fraction', fraction }),
      signal: stopping.signal,
    });
    return { kind: 'done', result: 0 };
  }
  if (connection === undefined) throw new Error('The connection was not opened.');
  if (message.kind === 'close') {
    await connection.close();
    return { kind: 'done', result: 0 };
  }
  return { kind: 'done', result: await connection[message.kind](message.sql) };
}

function tell(message: FromSealed): void {
  if (process.connected) process.send?.(message);
}

function toFailed(error: unknown): FromSealed {
  if (!(error instanceof Error)) return { kind: 'failed', message: String(error) };
  if (!(error instanceof EngineError)) return { kind: 'failed', message: error.message };
  const { kind, reason, cause } = error;
  const message = cause instanceof Error ? cause.message : error.message;
  return { kind: 'failed', message, engine: { kind, reason } };
}
