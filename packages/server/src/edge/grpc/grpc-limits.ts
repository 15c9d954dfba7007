/** The limits of the calls of a client. */
export type GrpcLimits = {
  /** The size of a request after decompression. */
  readonly messageMaxBytes: number;
  /** The time for a TLS handshake. Default: that of HTTP. */
  readonly handshakeTimeoutMs?: number;
  /** Concurrent calls of a connection; clients queue further ones. HTTP/2 recommends at least 100. */
  readonly callsMax: number;
  /** The time within which the whole request has to arrive. */
  readonly requestTimeoutMs: number;
  /** The time for the opening of a connection, and for a header block. */
  readonly headersTimeoutMs: number;
  /** A connection on which no token was accepted is closed when it has no call for this long. */
  readonly idleTimeoutMs: number;
};

export const GRPC_LIMITS: GrpcLimits = {
  messageMaxBytes: 2 ** 20,
  callsMax: 100,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 72_000,
};

/** The metadata of a call. */
export const METADATA_LIMITS = {
  /** Larger metadata are refused with a status. */
  maxBytes: 16 * 1024,
  /**
   * The limit that HTTP/2 announces. Beyond it Node resets the stream without a status (ENHANCE_YOUR_CALM), so
   * it is higher than `maxBytes`. Some clients do not send larger metadata at all.
   */
  announcedMaxBytes: 64 * 1024,
  /** Headers beyond which Node resets the stream. Its default of 128 would refuse small metadata. */
  headersMax: 1000,
} as const;
