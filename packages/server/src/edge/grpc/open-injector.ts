import { strict as assert } from 'node:assert';
import type { Http2Server, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { type ConnectionInjector, type Server, ServerCredentials } from '@grpc/grpc-js';
import { METADATA_LIMITS } from './grpc-limits.ts';

/** The function of grpc-js that serves a stream. */
export type ServeStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/**
 * Makes grpc-js serve connections that are passed to it. The gate gets each stream first. grpc-js has no
 * option for that, nor for the limits of headers: it hides its HTTP/2 server.
 */
export function openInjector(
  server: Server,
  gate: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, serve: ServeStream) => void,
): Pick<ConnectionInjector, 'injectConnection'> {
  // The fields are private in the types of grpc-js. The assertions fail if a release removes one.
  const inside = server as unknown as Inside;
  assert(inside.commonServerOptions?.settings, 'grpc-js keeps the options of its HTTP/2 server.');
  Object.assign(inside.commonServerOptions, { maxHeaderListPairs: METADATA_LIMITS.headersMax });
  Object.assign(inside.commonServerOptions.settings, {
    maxHeaderListSize: METADATA_LIMITS.announcedMaxBytes,
  });
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const [http2Server, ...others] = inside.http2Servers?.keys() ?? [];
  assert(http2Server !== undefined && others.length === 0, 'grpc-js has one HTTP/2 server.');
  const [serve, ...further] = http2Server.listeners('stream');
  assert(serve !== undefined && further.length === 0, 'grpc-js serves streams in one place.');
  http2Server.removeAllListeners('stream');
  http2Server.on('stream', (stream, headers) => gate(stream, headers, serve as ServeStream));
  return injector;
}

type Inside = {
  readonly commonServerOptions?: { readonly settings?: object };
  readonly http2Servers?: ReadonlyMap<Http2Server, unknown>;
};
