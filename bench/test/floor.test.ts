// @module-tag slow

import { writeFile } from 'node:fs/promises';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../../packages/locmetrics/test/support/use-temporary-folder.ts';
import { openGrpcClient } from '../src/driver/grpc-client.ts';
import { startFloor } from '../src/systems/start-floor.ts';
import { CALL, METHOD } from '../src/workloads/values-page.ts';

const inFolder = useTemporaryFolder();
const HEADERS = { authorization: 'Bearer secret' };

test.each([1, 2])(
  'a floor of %i processes answers over HTTP with the given number of bytes',
  async (workers) => {
    const logFile = inFolder(`http-${workers}.log`);
    await using floor = await startFloor({
      answer: { protocol: 'http', bytes: 1234 },
      workers,
      headers: HEADERS,
      logFile,
    });
    const { host, port, headers } = floor.target;
    expect(headers).toBe(HEADERS);
    for (let count = 0; count < 3; count++) {
      const response = await fetch(`http://${host}:${port}/any`);
      expect(response.status).toBe(200);
      expect(await response.text()).toHaveLength(1234);
    }
  },
);

test.each([1, 2])(
  'a floor of %i processes answers over gRPC with the given number of bytes',
  async (workers) => {
    const logFile = inFolder(`grpc-${workers}.log`);
    await using floor = await startFloor({
      answer: { protocol: 'grpc', bytes: 1234, call: CALL },
      workers,
      headers: HEADERS,
      logFile,
    });
    const client = openGrpcClient(floor.target);
    const answer = await client.ask({ protocol: 'grpc', call: CALL, message: new Uint8Array([1]) });
    expect(answer).toHaveLength(1234);
    client.close();
  },
);

test.each([
  [1, 3],
  [4, 2],
])(
  'a floor of %i pages ends after the last one, which has %i values',
  async (pages, lastValues) => {
    const page = {
      values: Array.from({ length: 3 }, (_, index) => ({
        mapFeatureV2: { featureId: `${index}` },
      })),
      totalSize: 11,
    };
    const token = pages === 1 ? '' : 'a token of any length';
    const file = inFolder(`page-${pages}`);
    const { input, output } = METHOD;
    await writeFile(file, toBinary(output, create(output, { ...page, nextPageToken: token })));
    await using floor = await startFloor({
      answer: { protocol: 'pages', call: CALL, file, pages, lastValues },
      workers: 1,
      headers: HEADERS,
      logFile: inFolder(`pages-${pages}.log`),
    });
    const client = openGrpcClient(floor.target);
    const read: SizedPage[] = [];
    for (let pageToken: string | undefined; pageToken !== ''; ) {
      const message = toBinary(input, create(input, pageToken === undefined ? {} : { pageToken }));
      const bytes = await client.ask({ protocol: 'grpc', call: CALL, message });
      const { values, totalSize, nextPageToken } = fromBinary(output, bytes);
      pageToken = nextPageToken;
      read.push({ values: values.length, totalSize, token: nextPageToken.length });
    }
    const full = { values: 3, totalSize: 11, token: token.length };
    const expected = Array.from({ length: pages - 1 }, () => full);
    expect(read).toEqual([...expected, { values: lastValues, totalSize: 11, token: 0 }]);
    client.close();
  },
);

type SizedPage = { readonly values: number; readonly totalSize: number; readonly token: number };
