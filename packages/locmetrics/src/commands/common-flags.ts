import { SCOPES } from '@locmetrics/core/domain/scope';
import type { FlagText } from '../cli/define-command.ts';

/** The descriptions of flags that several commands have. */
export const ACCEPT_GRANT_LOSSES =
  'continue even if grants lose a dataset, metric, field, component or dimension';

export const FILES =
  'directory with the files of the manifest; default: the directory of the manifest';

export const SCOPES_FLAG = {
  description: `allowed uses: ${SCOPES.join(', ')}; separated by commas or repeated; default: catalog,metrics,usage`,
  isRepeatable: true,
  words: SCOPES,
} as const satisfies FlagText;
