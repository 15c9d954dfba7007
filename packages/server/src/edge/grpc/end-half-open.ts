import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { GrpcLimits } from './grpc-limits.ts';

/** An HTTP/2 connection, as the sweep for half-open ones sees it. */
export type SweptConnection = {
  readonly session: Pick<Http2Session, 'state' | 'pendingSettingsAck' | 'destroyed' | 'destroy'>;
  readonly socket: Pick<Socket, 'bytesRead' | 'destroy'>;
  /** When it was opened, or when its last call ended. */
  idleSinceMs: number;
  /** Whether the settings of the client have arrived, which follow the preface. */
  hasSettings: boolean;
  /** Whether a token was accepted on it. */
  isTrusted: boolean;
  /** The calls on it whose streams are open. */
  calls: number;
  /** The highest stream whose headers have arrived completely. */
  lastStreamId: number;
  /** The bytes at the previous sweep. */
  sweptBytes: number;
  /** The stream whose headers were incomplete at the previous sweep. */
  incompleteId: number | undefined;
  /** Whether the previous sweep found that its session has ended. */
  isEnding: boolean;
};

/**
 * Closes the connections whose client stopped half-way: in the preface, before its settings or their
 * acknowledgement, in a header block, or after the end of the session, when it keeps its side open. One without an
 * accepted token must have a call from time to time.
 * Node has no limit for any of them, and no event for bytes that do not complete a frame.
 */
export function endHalfOpen(
  connections: () => Iterable<SweptConnection>,
  limits: Pick<GrpcLimits, 'headersTimeoutMs' | 'idleTimeoutMs'>,
): { readonly stop: () => void } {
  const sweep = (): void => {
    const nowMs = performance.now();
    for (const connection of connections()) {
      if (connection.session.destroyed) endSocket(connection);
      else if (isHalfOpen(connection, nowMs, limits)) connection.session.destroy();
    }
  };
  // A header block that is incomplete at two sweeps has had at least this time.
  const timer = setInterval(sweep, limits.headersTimeoutMs / 2).unref();
  return { stop: () => clearInterval(timer) };
}

/** The last bytes have been sent, or are not read by the client. */
function endSocket(connection: SweptConnection): void {
  if (connection.isEnding) connection.socket.destroy();
  connection.isEnding = true;
}

function isHalfOpen(
  connection: SweptConnection,
  nowMs: number,
  { headersTimeoutMs, idleTimeoutMs }: Pick<GrpcLimits, 'headersTimeoutMs' | 'idleTimeoutMs'>,
): boolean {
  const { session, calls, hasSettings, isTrusted, idleSinceMs } = connection;
  // A header block whose stream Node refuses looks incomplete too, so running calls are not ended for it.
  if (calls > 0) return false;
  const idleMs = nowMs - idleSinceMs;
  const hasOpened = hasSettings && !session.pendingSettingsAck;
  if (!hasOpened && idleMs > headersTimeoutMs) return true;
  if (!isTrusted && idleMs > idleTimeoutMs) return true;
  return isHeaderBlockLate(connection);
}

function isHeaderBlockLate(connection: SweptConnection): boolean {
  const { session, socket, sweptBytes, incompleteId, lastStreamId } = connection;
  connection.sweptBytes = socket.bytesRead;
  // Reading the state costs more than all else here.
  if (connection.sweptBytes === sweptBytes && incompleteId === undefined) return false;
  const { lastProcStreamID: begunId = 0 } = session.state;
  connection.incompleteId = begunId > lastStreamId ? begunId : undefined;
  return connection.incompleteId !== undefined && connection.incompleteId === incompleteId;
}
