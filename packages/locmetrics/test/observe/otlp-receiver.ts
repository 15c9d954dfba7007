import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { serveLocally } from '../support/listen-locally.ts';

/** A span as the collector receives it. */
export type ReceivedSpan = {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty if there is none. */
  readonly parentSpanId: string;
  readonly durationNs: bigint;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** 0 is unset, 2 is error. */
  readonly statusCode: number;
  readonly resource: Readonly<Record<string, string | number | boolean>>;
};

export type OtlpReceiver = {
  readonly endpoint: string;
  readonly spans: () => readonly ReceivedSpan[];
  /** All received bytes, as text. */
  readonly text: () => string;
  readonly headers: () => readonly Readonly<Record<string, unknown>>[];
  readonly close: () => Promise<void>;
};

/** Accepts spans over HTTP like a collector, or refuses them with a status. */
export async function openOtlpReceiver(status = 200): Promise<OtlpReceiver> {
  const bodies: Buffer[] = [];
  const headers: Readonly<Record<string, unknown>>[] = [];
  const { url, close } = await serveLocally((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      headers.push({ ...request.headers, url: request.url });
      bodies.push(Buffer.concat(parts));
      response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  return {
    endpoint: url,
    spans: () => bodies.flatMap(readSpans),
    text: () => bodies.map((body) => body.toString('latin1')).join('\n'),
    headers: () => headers,
    close,
  };
}

/** The field numbers are from opentelemetry/proto/trace/v1/trace.proto. */
function readSpans(body: Buffer): readonly ReceivedSpan[] {
  return messages(body, 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).flatMap((found) => readAttributes(found, 1));
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => {
        const fields = readFields(span);
        const [start, end] = [fields.get(7)?.[0], fields.get(8)?.[0]];
        const [status] = messages(span, 15);
        return {
          name: textOf(fields, 5),
          kind: Number(fields.get(6)?.[0] ?? 0),
          traceId: hexOf(fields, 1),
          spanId: hexOf(fields, 2),
          parentSpanId: hexOf(fields, 4),
          durationNs: BigInt(String(end)) - BigInt(String(start)),
          attributes: Object.fromEntries(readAttributes(span, 9)),
          statusCode: Number(status === undefined ? 0 : (readFields(status).get(3)?.[0] ?? 0)),
          resource: Object.fromEntries(resource),
        };
      });
  });
}

function readAttributes(message: Uint8Array, number: number) {
  return messages(message, number).map((pair): [string, string | number | boolean] => {
    const [value = new Uint8Array()] = messages(pair, 2);
    const fields = readFields(value);
    const number_ = fields.get(3)?.[0] ?? fields.get(4)?.[0];
    if (fields.has(1)) return [textOf(readFields(pair), 1), textOf(fields, 1)];
    return [
      textOf(readFields(pair), 1),
      number_ === undefined ? fields.get(2)?.[0] === 1n : Number(number_),
    ];
  });
}

type Fields = ReadonlyMap<number, readonly (Uint8Array | bigint | number)[]>;

function readFields(message: Uint8Array): Fields {
  const fields = new Map<number, (Uint8Array | bigint | number)[]>();
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const values = fields.get(number) ?? [];
    fields.set(number, values);
    if (type === WireType.LengthDelimited) values.push(reader.bytes());
    else if (type === WireType.Varint) values.push(BigInt(reader.uint64()));
    else if (type === WireType.Bit64) values.push(BigInt(reader.fixed64()));
    else values.push(reader.fixed32());
  }
  return fields;
}

function messages(message: Uint8Array, number: number): readonly Uint8Array[] {
  return (readFields(message).get(number) ?? []).filter((value) => value instanceof Uint8Array);
}

function textOf(fields: Fields, number: number): string {
  const value = fields.get(number)?.[0];
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';
}

function hexOf(fields: Fields, number: number): string {
  const value = fields.get(number)?.[0];
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : '';
}
