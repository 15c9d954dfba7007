import { connect } from 'node:net';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

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
  for (const part of parts) {
    const sent = Promise.withResolvers<void>();
    // A part of a connection that was closed is not sent.
    socket.write(part, 'latin1', () => sent.resolve());
    await sent.promise;
    // A server in this process reads each part separately.
    for (let turn = 0; turn < 3; turn += 1) await nextLoopTick();
  }
  return promise;
}
