import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { AddressProblem } from '@locmetrics/ingest/addresses/address-problem';
import { toRequest } from '@locmetrics/ingest/addresses/address-request';
import { type FetchOptions, fetchAddress } from '@locmetrics/ingest/addresses/fetch-address';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import { expect, test } from 'vitest';
import { freePort, listenLocally, serveLocally } from '../support/listen-locally.ts';
import { scopedFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { isSignedBy } from './s3-signature.ts';
import { WHOLE_PUBLISH } from './whole-publish.ts';

/** The text that comes from an address, or the reason why there is none. The port of a server is left out. */
async function fetchText(address: string, options: Partial<FetchOptions> = {}): Promise<string> {
  await using folder = scopedFolder();
  const copies = join(folder.path, 'copies');
  try {
    const { path } = await fetchAddress(address, {
      folder: copies,
      bytesMax: 1000,
      environment: {},
      pausesMs: [1, 1],
      ...options,
    });
    return await readFile(path, 'utf8');
  } catch (error) {
    const left = await readdir(copies).catch(() => []);
    if (!(error instanceof AddressProblem) || left.length > 0) throw error;
    return `${error.reason}. ${error.hint}`.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
  }
}

test('a publish reads files at addresses, and records them without their secrets', async () => {
  const seen: string[] = [];
  const server = await serveLocally((request, response) => {
    seen.push(String(request.headers.authorization));
    if (request.url?.startsWith('/a.csv.gz') === true) {
      response.setHeader('etag', '"1"').end(gzipSync('id,visits\na,1\n'));
    } else response.end('id,visits\nb,x\n');
  });
  await using folder = scopedFolder();
  const directory = dataDirectory(join(folder.path, 'data'));
  const publishFiles = async (files: string) => {
    await writeFile(
      join(folder.path, 'locmetrics.yaml'),
      `format: 1
datasets:
  shop.visits:
    files: ${files}
    key: [id]
    fields:
      id: { type: string }
      visits: { type: integer }
`,
    );
    return publish({
      ...WHOLE_PUBLISH,
      manifestPath: join(folder.path, 'locmetrics.yaml'),
      datasetNames: [],
      directory,
      clock: () => Date.parse('2024-01-01T00:00:00.000Z'),
    });
  };
  const secret = `${server.url.replace('//', '//anna:p%40ss@')}/a.csv.gz?token=secret`;
  await publishFiles(secret);
  const [version] = readCurrentVersions(directory);
  const path = join(directory.version('shop.visits', version?.version ?? ''), 'version.json');
  const { sources } = JSON.parse(await readFile(path, 'utf8'));
  expect(sources).toEqual([
    {
      path: `${server.url}/a.csv.gz?…`,
      bytes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      etag: '"1"',
    },
  ]);
  expect(seen).toEqual([`Basic ${Buffer.from('anna:p@ss').toString('base64')}`]);
  expect(await readdir(directory.temporary)).toEqual([]);

  const refusal: unknown = await publishFiles(`[${secret}, ${server.url}/b.csv#part]`).catch(
    (error: unknown) => error,
  );
  expect(String(refusal).replaceAll(server.url, 'http://HOST')).toMatchInlineSnapshot(
    `"ImportError: http://HOST/b.csv:2: visits: 'x' is not a whole number."`,
  );
  expect(await readdir(directory.temporary)).toEqual([]);
});

const page: RequestListener = (_request, response) =>
  response.end('\n<!-- x -->\n<!DOCTYPE html><html></html>');

/** Calls back when the client, which is in this process, has read bytes of the next answer. */
function onceRead(then: () => void): void {
  const listen = (message: unknown): void => {
    unsubscribe('http.client.response.finish', listen);
    // The channel is documented with these members.
    const { response } = message as { readonly response: IncomingMessage };
    void until(() => response.readableDidRead && response.readableLength === 0).then(() =>
      setImmediate(then),
    );
  };
  subscribe('http.client.response.finish', listen);
}

const ANSWERS: readonly (readonly [string, RequestListener])[] = [
  ['a page', page],
  ['404', (_request, response) => response.writeHead(404).end()],
  ['403', (_request, response) => response.writeHead(403).end()],
  ['500', (_request, response) => response.writeHead(500).end()],
  ['too large, told', (_request, response) => response.setHeader('content-length', 1001).end()],
  [
    'too large',
    (_request, response) => response.write('x'.repeat(900)) && response.end('x'.repeat(900)),
  ],
  ['silent', () => {}],
  ['silent in the middle', (_request, response) => response.write('id')],
  [
    'cut short',
    (_request, response) => {
      onceRead(() => response.destroy());
      response.setHeader('content-length', 100).write('id\n');
    },
  ],
  ['broken off', (_request, response) => response.destroy()],
  [
    'elsewhere, in plain',
    (_request, response) => response.writeHead(302, { location: 'http://example.org/a?b=c' }).end(),
  ],
  [
    'elsewhere, to a file',
    (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  ],
  ['in a circle', (_request, response) => response.writeHead(301, { location: '/again' }).end()],
];

test.each(ANSWERS)('an answer is refused: %s', async (_name, listener) => {
  const server = await serveLocally(listener);
  expect(await fetchText(`${server.url}/a.csv`, { silenceMs: 200 })).toMatchSnapshot();
});

test('an attempt that fails is repeated twice, and a redirection within the server followed', async () => {
  let count = 0;
  const server = await serveLocally((request, response) => {
    if (request.url !== '/b.csv') response.writeHead(307, { location: 'b.csv' }).end();
    else {
      count += 1;
      if (count === 1) response.destroy();
      else if (count === 2) response.writeHead(503).end();
      else response.end('id\n');
    }
  });
  expect(await fetchText(`${server.url}/a.csv`)).toBe('id\n');
  expect(count).toBe(3);
});

test('a large file of a server that closes the connection at its end is read to its end', async () => {
  const body = 'x'.repeat(3_000_000);
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.end(`HTTP/1.0 200 OK\r\nContent-Type: text/csv\r\n\r\n${body}`);
    });
  });
  const { address } = await listenLocally(server);
  for (let round = 0; round < 20; round += 1) {
    const text = await fetchText(`http://${address}/a.csv`, { bytesMax: 1e7 });
    expect(text === body).toBe(true);
  }
});

test('a file is decompressed that the server compresses for the way', async () => {
  const server = await serveLocally((_request, response) => {
    response.setHeader('content-encoding', 'gzip').end(gzipSync('id\n'));
  });
  expect(await fetchText(`${server.url}/a.csv`)).toBe('id\n');
});

test('a password is not sent to another server', async () => {
  const seen: unknown[] = [];
  const other = await serveLocally((request, response) => {
    seen.push(request.headers.authorization);
    response.end('id\n');
  });
  const server = await serveLocally((_request, response) => {
    response.writeHead(302, { location: `${other.url}/b.csv` }).end();
  });
  const address = `${server.url.replace('//', '//anna:secret@')}/a.csv`;
  expect(await fetchText(address)).toBe('id\n');
  expect(seen).toEqual([undefined]);
});

test('a server that is not there, and one whose certificate is not trusted, are told', async () => {
  const certificates = await issueCertificates({
    notBefore: new Date(),
    notAfter: new Date(Date.now() + 60_000),
  });
  const server = await serveLocally(page, {
    cert: certificates.certificate,
    key: certificates.key,
  });
  expect([
    await fetchText(`${server.url}/a.csv`),
    await fetchText(`http://127.0.0.1:${await freePort()}/a.csv`),
    (await fetchText('https://no-such-host.invalid/a.csv'))
      .replace(/ENOTFOUND|EAI_AGAIN/, 'CODE')
      .replace(', in each of 3 attempts', ''),
  ]).toMatchInlineSnapshot(`
    [
      "cannot be fetched: the certificate of HOST is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE). If your own certificate authority signed it, set NODE_EXTRA_CA_CERTS to the file with its certificate.",
      "cannot be fetched: HOST refused the connection (ECONNREFUSED), after 3 attempts. Check the URL and the network of this machine. Behind a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1.",
      "cannot be fetched: the host no-such-host.invalid was not found (CODE). Check the URL and the network of this machine. Behind a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1.",
    ]
  `);
});

test('a fetch that is stopped ends at once', async () => {
  const stop = new AbortController();
  const server = await serveLocally(() => stop.abort(new Error('stopped')));
  await expect(fetchText(`${server.url}/a.csv`, { signal: stop.signal })).rejects.toThrow(
    'stopped',
  );
});

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

test('the example of the documentation of AWS has the right signature', () => {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41';
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
  };
  const request = { method: 'GET', target: '/test.txt', headers: { ...headers, authorization } };
  const key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  expect([isSignedBy(key, request), isSignedBy(SECRET, request)]).toEqual([true, false]);
});

test('an object of S3 is asked for with the credentials of the environment, or without any', async () => {
  const seen: string[] = [];
  const server = await serveLocally(({ method = '', url: target = '', headers }, response) => {
    const isSigned = isSignedBy(SECRET, { method, target, headers });
    seen.push(`${target} ${isSigned} ${headers['x-amz-security-token']}`);
    if (isSigned || target.startsWith('/open/')) response.end('id\n');
    else response.writeHead(403).end();
  });
  const credentials = {
    AWS_ENDPOINT_URL: `${server.url}/`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
    AWS_SECRET_ACCESS_KEY: SECRET,
  };
  const address = 's3://my.bucket/a folder/größe+1 (2)?&=%41.csv';
  expect([
    await fetchText(address, { environment: credentials }),
    await fetchText(address, { environment: { ...credentials, AWS_SESSION_TOKEN: 'session' } }),
    await fetchText('s3://open/a.csv', { environment: { AWS_ENDPOINT_URL: server.url } }),
    await fetchText('s3://closed/a.csv', { environment: { AWS_ENDPOINT_URL: server.url } }),
    await fetchText('s3://closed/a.csv', {
      environment: { ...credentials, AWS_SECRET_ACCESS_KEY: 'wrong' },
    }),
    await fetchText('s3://closed/a.csv', {
      environment: { AWS_ENDPOINT_URL: 'http://anna:secret@storage.example.org' },
    }),
  ]).toMatchInlineSnapshot(`
    [
      "id
    ",
      "id
    ",
      "id
    ",
      "cannot be fetched: access was denied (the server answered 403 Forbidden). The request was not signed: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, unless the bucket is public.",
      "cannot be fetched: access was denied (the server answered 403 Forbidden). Check AWS_REGION, and that the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY allow reading it.",
      "cannot be fetched: AWS_ENDPOINT_URL is http://storage.example.org. Use an https:// URL. Plain http:// works only for this machine.",
    ]
  `);
  expect(seen).toMatchInlineSnapshot(`
    [
      "/my.bucket/a%20folder/gr%C3%B6%C3%9Fe%2B1%20%282%29%3F%26%3D%2541.csv true undefined",
      "/my.bucket/a%20folder/gr%C3%B6%C3%9Fe%2B1%20%282%29%3F%26%3D%2541.csv true session",
      "/open/a.csv false undefined",
      "/closed/a.csv false undefined",
      "/closed/a.csv false undefined",
    ]
  `);
});

test('the address of a bucket depends on its region, and on its name', async () => {
  const urlOf = async (address: string, environment: Record<string, string>, region?: string) =>
    (await toRequest(address, environment, region)).url.href;
  expect([
    await urlOf('s3://bucket/a.csv', {}),
    await urlOf('s3://bucket/a.csv', { AWS_DEFAULT_REGION: 'eu-west-1' }),
    await urlOf('s3://my.bucket/folder/a.csv', { AWS_REGION: 'eu-west-1' }),
    // A region that S3 told is used instead of a declared one.
    await urlOf('s3://bucket/a.csv', { AWS_REGION: 'eu-west-1' }, 'us-west-2'),
    await urlOf('s3://bucket/a.csv', { AWS_ENDPOINT_URL_S3: 'https://storage.example.org/s3/' }),
  ]).toEqual([
    'https://bucket.s3.us-east-1.amazonaws.com/a.csv',
    'https://bucket.s3.eu-west-1.amazonaws.com/a.csv',
    'https://s3.eu-west-1.amazonaws.com/my.bucket/folder/a.csv',
    'https://bucket.s3.us-west-2.amazonaws.com/a.csv',
    'https://storage.example.org/s3/bucket/a.csv',
  ]);
});

test('a password may have a percent sign that encodes nothing', async () => {
  const { headers, url } = await toRequest('https://anna:50%@example.org/a.csv', {});
  expect([headers['authorization'], url.href]).toEqual([
    `Basic ${Buffer.from('anna:50%').toString('base64')}`,
    'https://example.org/a.csv',
  ]);
});
