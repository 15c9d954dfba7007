/**
 * HTTP of Node. An `import` of `node:http` reads all its members, one of which loads a WebSocket that nothing here uses: 30 ms
 * of each start.
 */
export const { createServer, maxHeaderSize, request, STATUS_CODES } =
  process.getBuiltinModule('node:http');
