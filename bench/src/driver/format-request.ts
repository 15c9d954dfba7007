import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';
import type { Target } from './load-order.ts';

/** The header lines of each request to a target. */
export function formatFixedHead({ host, port, headers }: Target): string {
  return Object.entries({ host: `${host}:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** The bytes of a request of HTTP/1.1. */
export function formatRequest(request: HttpRequest | GrpcRequest, fixedHead: string): string {
  if (request.protocol !== 'http') throw new Error(`${request.call} is no request of HTTP.`);
  const { method, path, headers = {}, body } = request;
  let head = `${method} ${path} HTTP/1.1\r\n${fixedHead}`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
