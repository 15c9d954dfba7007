import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

/** Connects to `host:port` over TLS; gives the connection, closed again, or the error it ends with. */
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
