import type { ServeFlags } from '../cli/program.ts';
import { type Address, parseAddressOrOff, resolveSetting, SETTINGS } from '../config/settings.ts';
import type { GrpcServer } from '../edge/grpc/open-grpc-server.ts';
import { listenAt } from './listen-at.ts';
import type { OpenTls } from './open-tls.ts';

/** Where gRPC is to be served; undefined where it is off. */
export type GrpcAddresses = {
  readonly tls: Address | undefined;
  readonly plaintext: Address | undefined;
};

export function resolveGrpcAddresses(flags: ServeFlags): GrpcAddresses {
  const { env } = process;
  return {
    tls: parseAddressOrOff(resolveSetting(SETTINGS.grpc, flags.grpc, env)),
    plaintext: parseAddressOrOff(resolveSetting(SETTINGS.grpcPlaintext, flags.grpcPlaintext, env)),
  };
}

/** Listens where gRPC is to be served, and says where that is. */
export async function listenGrpc({
  server,
  addresses,
  tls,
}: {
  readonly server: GrpcServer;
  readonly addresses: GrpcAddresses;
  readonly tls: OpenTls | undefined;
}): Promise<{ readonly grpc: string | undefined; readonly grpcPlaintext: string | undefined }> {
  const { tls: secure, plaintext } = addresses;
  const grpc =
    secure === undefined || tls === undefined
      ? undefined
      : await listenAt('--grpc', () => server.listen({ ...secure, certificate: tls.certificate }));
  const grpcPlaintext =
    plaintext === undefined
      ? undefined
      : await listenAt('--grpc-plaintext', () => server.listen(plaintext));
  return { grpc, grpcPlaintext };
}
