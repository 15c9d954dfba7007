import type { GrpcRefusal } from './grpc/grpc-client.ts';

/** The content of a refusal over HTTP, in one form for both edges. */
export function problemWords(body: Readonly<Record<string, unknown>>) {
  const { code, reason, detail, hint } = body;
  return { code, reason, message: hint === undefined ? detail : `${detail} ${hint}` };
}

/** The same over gRPC. */
export function grpcWords({ code, reason, message }: GrpcRefusal) {
  return { code, reason, message };
}
