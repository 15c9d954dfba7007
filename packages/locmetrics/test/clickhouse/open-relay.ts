import {
  createServer,
  request as forward,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { listenLocally } from '../support/listen-locally.ts';

/** The failure of an insert on its way. */
export type InsertFailure =
  /** It is not passed on, and gets no answer. */
  | 'hangs'
  /** It is not passed on, and the connection is closed. */
  | 'breaks'
  /** It is not passed on, and the answer is that it is done. */
  | 'is lost';

/** A network between a client and a server of ClickHouse, which can fail. */
export type Relay = {
  readonly url: string;
  /** The pieces that were inserted so far, by the tokens of the inserts, also those that failed. */
  readonly inserted: () => readonly string[];
  /** Lets the insert of this number from now, from 1, fail. Resolves when it has arrived. */
  readonly failInsert: (number: number, failure: InsertFailure) => Promise<void>;
  /** While it is true, all connections are closed. */
  readonly cut: (isCut: boolean) => void;
};

export async function openRelay(target: string): Promise<Relay> {
  const inserted: string[] = [];
  let failing: { number: number; failure: InsertFailure; arrived: () => void } | undefined;
  let isCut = false;
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const { method, headers, url } = request;
    const passed = forward(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  };
  const server = createServer((request, response) => {
    if (isCut) {
      request.socket.destroy();
      return;
    }
    const { searchParams } = new URL(request.url ?? '/', target);
    const token = searchParams.get('insert_deduplication_token');
    if (token === null) return pass(request, response);
    inserted.push(token);
    if (failing !== undefined) failing.number -= 1;
    if (failing?.number !== 0) return pass(request, response);
    const { failure, arrived } = failing;
    failing = undefined;
    request.resume();
    request.once('error', () => {});
    arrived();
    if (failure === 'breaks') request.socket.destroy();
    else if (failure === 'is lost') request.once('end', () => response.end());
    return undefined;
  });
  const { address } = await listenLocally(server);
  return {
    url: `http://${address}`,
    inserted: () => inserted,
    failInsert: (number, failure) =>
      new Promise((arrived) => {
        failing = { number, failure, arrived };
      }),
    cut: (cut) => {
      isCut = cut;
      if (cut) server.closeAllConnections();
    },
  };
}
