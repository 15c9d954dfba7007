import type { PublishError } from '../problems/publish-error.ts';

/** Makes the error that refuses a file of boundaries. The reason continues a sentence with its name. */
export type Refuse = (reason: string, hint: string) => PublishError;
