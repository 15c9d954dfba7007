import { connect, type Socket } from 'node:net';

/** Bytes of HTTP/2 (RFC 9113), for connections that a library would not open. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export const FRAME = { data: 0, headers: 1, settings: 4, ping: 6, goaway: 7 } as const;
/** `endStream` is also the flag that acknowledges settings. */
export const FLAG = { none: 0, endStream: 1, acknowledged: 1, endHeaders: 4 } as const;

export function frame(
  type: number,
  flags: number,
  streamId: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

export const SETTINGS = frame(FRAME.settings, FLAG.none, 0);
const SETTINGS_READ = frame(FRAME.settings, FLAG.acknowledged, 0);
/** A client that has opened its connection completely. */
export const OPENING = Buffer.concat([PREFACE, SETTINGS, SETTINGS_READ]);

/** A header block of literals without compression (RFC 7541 § 6.2.2), each shorter than 127 bytes. */
export function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [
      Buffer.from([0, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]),
  );
}

/** Connects to `host:port`, sends the bytes, and reads whatever comes back. */
export function sendBytes(address: string, bytes: Uint8Array): Socket {
  const { hostname, port } = new URL(`http://${address}`);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.write(bytes);
  return socket.resume();
}
