import { ServiceError } from '@locmetrics/core/errors/service-error';
import { sizeText } from '@locmetrics/core/errors/size-text';
import type { ExportContext } from './export-context.ts';

/** Refuses more files when those of all exports take their space. */
export async function checkSpace({
  store,
  settings: { bytesMax },
}: Pick<ExportContext, 'store' | 'settings'>): Promise<void> {
  if ((await store.bytes()) < bytesMax) return;
  throw new ServiceError(
    'EXPORT_SPACE_EXHAUSTED',
    `The files of all exports take ${sizeText(bytesMax)}, the maximum of the service.`,
    {
      hint: 'Delete exports that you no longer need, or get the records as a stream.',
      retryAfterSeconds: 60,
    },
  );
}
