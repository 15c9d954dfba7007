import type { Caller } from '../../src/domain/caller.ts';
import type { Call } from '../../src/service/service-context.ts';
import { createCaller } from '../test-caller.ts';

/** Who asks a question, and when they go away: by default one caller, who stays. */
export type CallQuestion = { readonly caller?: Caller; readonly signal?: AbortSignal };

const CALLER: Caller = createCaller({ organisationId: 'organisation', tokenId: 'token' });

export function toCall({ caller, signal }: CallQuestion): Call {
  return { caller: caller ?? CALLER, signal: signal ?? new AbortController().signal };
}
