import { connect } from 'node:net';

/** Sends bytes over a socket of its own and gives all that comes back until the server closes. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  socket.on('close', () => resolve(received));
  socket.on('error', reject);
  socket.write(bytes, 'latin1');
  return promise;
}
