import type { Caller } from '@locmetrics/core/domain/caller';
import type { Call } from '@locmetrics/server/service/service-context';
import { createCaller } from '../../support/test-caller.ts';

/** The caller of a question, and its abort signal. The default is one caller that stays. */
export type CallQuestion = { readonly caller?: Caller; readonly signal?: AbortSignal };

const CALLER: Caller = createCaller({ organisationId: 'organisation', tokenId: 'token' });

export function toCall({ caller, signal }: CallQuestion): Call {
  return { caller: caller ?? CALLER, signal: signal ?? new AbortController().signal };
}
