/** What a client may take of the service with its calls. */
export type GrpcLimits = {
  /** Of a request, unpacked. */
  readonly messageMaxBytes: number;
  /** Of one connection at once; a client waits with more. HTTP/2 wants at least 100. */
  readonly callsMax: number;
  /** The whole request arrives within this. */
  readonly requestTimeoutMs: number;
};

export const GRPC_LIMITS: GrpcLimits = {
  messageMaxBytes: 2 ** 20,
  callsMax: 100,
  requestTimeoutMs: 30_000,
};
