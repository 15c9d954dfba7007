import { ServiceError } from '@locmetrics/core/errors/service-error';
import {
  type Span as OpenSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Observe } from './observation.ts';
import { NO_TRACE, type Span, type SpanFacts, type StartTrace } from './trace.ts';

export type Tracing = {
  readonly start: StartTrace;
  /** Sends the remaining spans, if the collector accepts them in time. */
  readonly close: () => Promise<void>;
};

/** The spans of about 1,600 requests; further spans are dropped. */
const SPANS_WAITING_MAX = 8192;

/**
 * Exports the spans of requests with OTLP over HTTP. Nothing of OpenTelemetry is registered globally, and
 * this file is only loaded if tracing is on.
 */
export function openTracing({
  endpoint,
  headers = {},
  sampleRatio,
  version,
  observe,
  exportEveryMs = 5000,
  exportTimeoutMs = 5000,
}: {
  /** The address of the collector, for example `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** Sent with each export, for example a token of the collector. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The share of traces that are exported, from 0 to 1. */
  readonly sampleRatio: number;
  readonly version: string;
  readonly observe: Observe;
  readonly exportEveryMs?: number;
  readonly exportTimeoutMs?: number;
}): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: exportTimeoutMs,
  });
  const ratio = new TraceIdRatioBasedSampler(sampleRatio);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'locmetrics',
      'service.version': version,
      'process.pid': process.pid,
    }),
    // A caller may exclude its requests from tracing, but cannot raise the share above the ratio.
    sampler: new ParentBasedSampler({
      root: ratio,
      remoteParentSampled: ratio,
      remoteParentNotSampled: new AlwaysOffSampler(),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watchExports(exporter, observe),
        scheduledDelayMillis: exportEveryMs,
        exportTimeoutMillis: exportTimeoutMs,
        maxQueueSize: SPANS_WAITING_MAX,
      }),
    ],
  });
  const tracer = provider.getTracer('locmetrics', version);
  const propagator = new W3CTraceContextPropagator();

  const start: StartTrace = ({ name, facts, traceparent, tracestate }) => {
    const caller = propagator.extract(ROOT_CONTEXT, { traceparent, tracestate }, HEADER_GETTER);
    const server = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes: facts }, caller);
    if (!server.isRecording()) return NO_TRACE;
    const context = trace.setSpan(ROOT_CONTEXT, server);
    return {
      traceId: server.spanContext().traceId,
      start: (part, partFacts = {}) =>
        toSpan(tracer.startSpan(part, { attributes: partFacts }, context)),
      end: (endFacts, failure) => {
        server.setAttributes(endFacts);
        if (failure !== undefined) markFailed(server, failure);
        server.end();
      },
    };
  };
  // Spans that cannot be sent at the end are dropped.
  return { start, close: () => provider.shutdown().catch(() => {}) };
}

type CallerHeaders = Readonly<Record<string, string | undefined>>;

const HEADER_GETTER = {
  keys: (headers: CallerHeaders) => Object.keys(headers),
  get: (headers: CallerHeaders, key: string) => headers[key],
};

function toSpan(span: OpenSpan): Span {
  return {
    end: (facts: SpanFacts = {}) => {
      span.setAttributes(facts);
      span.end();
    },
    fail: (error) => {
      // The message of an error can quote text from a caller.
      markFailed(span, error instanceof ServiceError ? error.reason : 'INTERNAL');
      span.end();
    },
  };
}

function markFailed(span: OpenSpan, failure: string): void {
  span.setAttribute('error.type', failure);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Observes when the collector stops accepting spans, once per outage. */
function watchExports(exporter: SpanExporter, observe: Observe): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error !== undefined && !isFailing) observe({ kind: 'trace_export_failed', error });
        isFailing = error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
