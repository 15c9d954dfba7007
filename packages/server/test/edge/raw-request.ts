import { connect } from 'node:net';
import { setTimeout as passTime } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

/** The pause between two parts, so that each is read separately. */
const PART_EVERY_MS = 5;

/**
 * Sends bytes over a new socket. Returns all received bytes until the server closes. Over TLS the
 * certificate is not checked.
 */
export async function sendRaw(url: string, ...parts: readonly string[]): Promise<string> {
  const { hostname, port, protocol } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const address = { host: hostname, port: Number(port) };
  const socket =
    protocol === 'https:'
      ? connectTls({ ...address, ALPNProtocols: ['http/1.1'], rejectUnauthorized: false })
      : connect(address);
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  socket.on('close', () => resolve(received));
  socket.on('error', reject);
  for (const [index, part] of parts.entries()) {
    if (index > 0) await passTime(PART_EVERY_MS);
    socket.write(part, 'latin1');
  }
  return promise;
}
