import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

/** Connects to `host:port` over TLS and closes. Returns the closed connection, or the error. */
export async function handshake(address: string, options: ConnectionOptions): Promise<TLSSocket> {
  const [host, port] = address.split(':');
  const socket = connect({ host, port: Number(port), ...options });
  await new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
  });
  socket.destroy();
  return socket;
}
