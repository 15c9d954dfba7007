import { connect } from 'node:net';

/**
 * A process that keeps many connections to `host:port` open, sends the same bytes on each, and connects again when one
 * is closed. Writes `complete` when it has connected as often as it keeps connections.
 */
const [address = '', connections = '', bytes = ''] = process.argv.slice(2);
const [host = '', port = ''] = address.split(':');
let opened = 0;
for (let count = 0; count < Number(connections); count += 1) open();

function open(): void {
  const socket = connect({ host, port: Number(port) }).resume();
  socket.write(Buffer.from(bytes, 'base64'));
  // A connection that is refused or reset is closed too.
  socket.on('error', () => {});
  socket.once('close', open);
  socket.once('connect', () => {
    opened += 1;
    if (opened === Number(connections)) process.stdout.write('complete\n');
  });
}
