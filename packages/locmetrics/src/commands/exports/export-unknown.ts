import { ControlError } from '@locmetrics/core/errors/control-error';
import { nearestName } from '@locmetrics/core/errors/nearest-name';

/** An id that is not that of an export. */
export function exportUnknown(id: string, known: readonly string[]): ControlError {
  const nearest = nearestName(id, known);
  return new ControlError(
    `There is no export '${id.slice(0, 100)}'.`,
    nearest === undefined ? 'List them: locmetrics exports list.' : `Did you mean '${nearest}'?`,
  );
}
