import { PassThrough } from 'node:stream';
import { send } from '@fastify/send';
import { ExportFileAddressSchema, ExportFileQuerySchema } from '@locmetrics/contract';
import { findExportFile, noSuchFile } from '../../../service/exports/find-export-file.ts';
import type { ServiceContext } from '../../../service/service-context.ts';
import { tagConditions } from '../answer/tag-conditions.ts';
import type { HttpApp } from '../http-app.ts';
import { forwardFile } from './forward-file.ts';

/** The path of links; only what they lead to is sent in ranges. */
export const EXPORT_FILE_PATH = '/v1/exports/:exportId/:file';
/** Read from the disk at a time. */
const CHUNK_BYTES = 2 ** 18;

/**
 * Serves the files of exports by links, which are signed, so that they need no token. The OpenAPI document has no such
 * operation: a link is the result of another one, and nobody makes it.
 */
export function routeExportFiles(app: HttpApp, service: ServiceContext): void {
  app.get(
    EXPORT_FILE_PATH,
    {
      config: { access: 'public' },
      schema: { params: ExportFileAddressSchema, querystring: ExportFileQuerySchema },
    },
    async ({ raw, params, query }, reply) => {
      const place = await findExportFile(service, { ...params, ...query });
      if ('node' in place) return forwardFile({ raw, reply }, { ...params, ...query }, place.node);
      const { folder, name, mediaType, tag, licence } = place;
      reply.header('cache-control', 'private, no-store').header('etag', tag);
      const { outcome, headers: asked } = tagConditions(raw.headers, tag);
      if (outcome === 'held') return reply.code(304).send();
      if (outcome === 'failed') return reply.code(412).send();
      const { statusCode, headers, stream, type } = await send(
        Object.assign(new PassThrough(), { method: raw.method, headers: asked }),
        `/${encodeURIComponent(name)}`,
        {
          root: folder,
          dotfiles: 'allow',
          cacheControl: false,
          etag: false,
          contentType: false,
          highWaterMark: CHUNK_BYTES,
        },
      );
      // It was removed since it was found.
      if (type !== 'file' && statusCode === 404) throw noSuchFile();
      if (type === 'error') {
        // Its text is HTML, and it has no other meaning than the status.
        const { 'Content-Range': range } = headers;
        if (range !== undefined) reply.header('content-range', range);
        return reply.code(statusCode).send();
      }
      reply
        .code(statusCode)
        .headers(headers)
        .type(mediaType)
        .header('content-disposition', `attachment; filename="${name}"`);
      if (licence !== undefined) reply.header('link', `<${licence}>; rel="license"`);
      return reply.send(stream);
    },
  );
}
