import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

export type Pages = {
  readonly origin: string;
  /** The paths of the scripts that were loaded. */
  readonly loaded: ReadonlySet<string>;
  readonly close: () => void;
};

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** Serves the pages and scripts of a folder at an origin of their own. */
export async function servePages(folder: string): Promise<Pages> {
  const loaded = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const type = TYPES[extname(pathname)];
    try {
      const file = readFileSync(join(folder, pathname));
      if (type === 'text/javascript') loaded.add(pathname);
      response.writeHead(200, { 'content-type': type ?? 'application/octet-stream' }).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port is open.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    loaded,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
