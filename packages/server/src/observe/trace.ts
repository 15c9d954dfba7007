/** The attributes of a span, by their OpenTelemetry names; never a value from a caller. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** The parts of a request that have their own span. */
export type SpanName = 'auth' | 'plan' | 'engine' | 'encoding';

/**
 * The spans of one request.
 *
 * OpenTelemetry is one implementation of it, in `open-tracing.ts`. It is loaded only if spans are exported, and is
 * not registered globally.
 */
export type RequestTrace = {
  /** Absent if the spans are not exported. */
  readonly traceId?: string;
  readonly start: (name: SpanName, facts?: SpanFacts) => Span;
  /** Ends the span of the whole request; `failure` is the error type of a fault of the service. */
  readonly end: (facts: SpanFacts, failure?: string) => void;
};

export type Span = {
  readonly end: (facts?: SpanFacts) => void;
  readonly fail: (error: unknown) => void;
};

/** Starts the span of a request; it continues the trace in the caller's headers. */
export type StartTrace = (request: {
  readonly name: string;
  readonly facts: SpanFacts;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}) => RequestTrace;

/** Runs a synchronous part of a request in a span. */
export function runInSpan<Result>(trace: RequestTrace, name: SpanName, work: () => Result): Result {
  const span = trace.start(name);
  try {
    const result = work();
    span.end();
    return result;
  } catch (error) {
    span.fail(error);
    throw error;
  }
}

/** Runs a part of a request in a span. */
export async function awaitInSpan<Result>(
  trace: RequestTrace,
  name: SpanName,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = trace.start(name);
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.fail(error);
    throw error;
  }
}

const NO_SPAN: Span = { end: () => {}, fail: () => {} };
export const NO_TRACE: RequestTrace = { start: () => NO_SPAN, end: () => {} };

/** For a process that exports no spans. */
export const startNoTrace: StartTrace = () => NO_TRACE;
