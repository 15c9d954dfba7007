/** What is told of a span, by the names of OpenTelemetry; never a value that a caller sent. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** The parts of a request that have a span of their own. */
export type SpanName = 'auth' | 'plan' | 'engine' | 'encoding';

/** The spans of one request. */
export type RequestTrace = {
  /** Absent where the spans are not exported. */
  readonly traceId?: string;
  readonly begin: (name: SpanName, facts?: SpanFacts) => Span;
  /** Ends the span of the whole request; the failure is a word for what the service did wrong. */
  readonly end: (facts: SpanFacts, failure?: string) => void;
};

export type Span = {
  readonly end: (facts?: SpanFacts) => void;
  readonly fail: (error: unknown) => void;
};

/** Begins the span of a request; it goes on with the trace that the caller's headers name. */
export type BeginTrace = (request: {
  readonly name: string;
  readonly facts: SpanFacts;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}) => RequestTrace;

/** Runs a part of a request that waits for nothing. */
export function runInSpan<Result>(trace: RequestTrace, name: SpanName, work: () => Result): Result {
  const span = trace.begin(name);
  try {
    const result = work();
    span.end();
    return result;
  } catch (error) {
    span.fail(error);
    throw error;
  }
}

const NO_SPAN: Span = { end: () => {}, fail: () => {} };
export const NO_TRACE: RequestTrace = { begin: () => NO_SPAN, end: () => {} };

/** Where nothing is exported. */
export const beginNoTrace: BeginTrace = () => NO_TRACE;
