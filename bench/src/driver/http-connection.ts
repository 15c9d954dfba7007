import { connect, type Socket } from 'node:net';
import { AnswerReader, type HttpAnswer } from './answer-reader.ts';

export type HttpConnection = {
  /** Sends one request and returns its answer. The next request may be sent after that. */
  readonly ask: (bytes: string, keepBody: boolean, onAnswer: (answer: HttpAnswer) => void) => void;
  readonly close: () => void;
};

/**
 * One keep-alive connection of HTTP/1.1 that does only what a measurement needs. On one core, undici reads
 * half of what the server under test can send, so the measurement would be of undici. This client reads
 * into one buffer, and parses only the status and the end of the body.
 */
export function openHttpConnection(
  { host, port }: { readonly host: string; readonly port: number },
  onFailure: (error: Error) => void,
): Promise<HttpConnection> {
  const opened = Promise.withResolvers<HttpConnection>();
  const reader = new AnswerReader();
  let onAnswer: ((answer: HttpAnswer) => void) | undefined;
  let isClosed = false;
  const fail = (error: Error): void => {
    if (isClosed) return;
    isClosed = true;
    socket.destroy();
    opened.reject(error);
    onFailure(error);
  };
  const socket: Socket = connect({
    host,
    port,
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafeSlow(READ_BUFFER_BYTES),
      callback: (length, buffer) => {
        try {
          const answer = reader.read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          if (answer === undefined) return true;
          const deliver = onAnswer;
          onAnswer = undefined;
          if (deliver === undefined) throw new Error('An answer arrived without a request.');
          deliver(answer);
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)));
        }
        return true;
      },
    },
  });
  socket.once('error', fail);
  socket.once('close', () => fail(new Error('The server closed a connection that was in use.')));
  socket.once('connect', () =>
    opened.resolve({
      ask: (bytes, keepBody, given) => {
        reader.begin(keepBody);
        onAnswer = given;
        socket.write(bytes);
      },
      close: () => {
        isClosed = true;
        socket.destroy();
      },
    }),
  );
  return opened.promise;
}

const READ_BUFFER_BYTES = 64 * 1024;
