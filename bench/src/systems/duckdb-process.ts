import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';

// DuckDB alone: runs the SQL of a request on the column files of published versions, with a thread for each core, and
// answers with the rows. It checks nothing.
const [, , ...files] = process.argv;

const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' });
const opening = await instance.connect();
for (const file of files) {
  const [name = '', path = ''] = file.split('=', 2);
  await opening.run(`ATTACH '${path.replaceAll("'", "''")}' AS file_${name} (READ_ONLY)`);
  await opening.run(`CREATE VIEW ${name} AS FROM file_${name}.records`);
}
opening.closeSync();

const server = createServer(async (request, response) => {
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(await text(request));
    const body = JSON.stringify(reader.getRowsJson());
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  } finally {
    connection.closeSync();
  }
});
server.listen(0, '127.0.0.1', () => {
  // `address()` is an object, because the server listens on a port and not on a socket file.
  process.stdout.write(`listening 127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
