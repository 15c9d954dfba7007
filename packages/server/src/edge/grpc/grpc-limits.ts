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

/** The metadata of a call. */
export const METADATA_LIMITS = {
  /** More is refused with a status. */
  maxBytes: 16 * 1024,
  /**
   * Of more than this Node ends the stream without a status (ENHANCE_YOUR_CALM), so it lies above the limit
   * that has one. Some clients read it, and send no larger call.
   */
  announcedMaxBytes: 64 * 1024,
  /** Likewise of headers. Node's default of 128 would end calls that are small enough. */
  headersMax: 1000,
} as const;
