import { join } from 'node:path';
import type { NodePorts } from './start-nginx.ts';

/** The flags of a node with the certificate that nginx expects. */
export function nodeFlags({
  directory,
  ports,
  certificates,
}: {
  readonly directory: string;
  readonly ports: NodePorts | undefined;
  /** The folder of the certificates. */
  readonly certificates: string;
}): readonly string[] {
  return [
    ...['serve', '--data', directory, '--workers', '1', '--http', 'off'],
    ...['--https', `127.0.0.1:${ports?.https}`, '--grpc', `127.0.0.1:${ports?.grpc}`],
    ...['--tls-certificate', join(certificates, 'node.pem')],
    ...['--tls-key', join(certificates, 'node.key'), '--trusted-proxies', '127.0.0.1'],
  ];
}
