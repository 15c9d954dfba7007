import { connect, createServer, type Socket } from 'node:net';
import { type LocalServer, listenLocally } from './listen-locally.ts';

/** Another address for `host:port`. `join` passes on what a caller and the target send on a connection. */
export function openRelay(
  target: string,
  join: (near: Socket, far: Socket) => void,
): Promise<LocalServer> {
  const [host, port] = target.split(':');
  const server = createServer((near) => {
    const far = connect({ host, port: Number(port) });
    for (const socket of [near, far]) socket.on('error', () => {});
    near.once('close', () => far.destroy());
    join(near, far);
  });
  return listenLocally(server);
}
