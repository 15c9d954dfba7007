import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { HttpApp } from '../http-app.ts';

/**
 * Sends 100 Continue once the body of a request is about to be read, so that a request that is refused for its headers
 * does not send it (RFC 9110 § 10.1.1). After such a refusal Node closes the connection, because the client may send
 * the body nevertheless.
 */
export function awaitContinue(app: HttpApp): void {
  passExpectations(app.server);
  app.addHook('preParsing', ({ raw: request }, { raw: response }, _payload, done) => {
    if (request.headers.expect !== undefined && request.httpVersion === '1.1') {
      // Node resumes an unread request after its answer too.
      request.once('resume', () => {
        if (!response.headersSent) response.writeContinue();
      });
    }
    done();
  });
}

/**
 * Passes on requests with `Expect` like others. Otherwise Node sends 100 Continue at once, or 417 without a problem
 * document; `checkHeaders` refuses expectations that are not supported.
 */
export function passExpectations(server: Pick<Server, 'on' | 'emit'>): void {
  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response);
    });
  }
}
