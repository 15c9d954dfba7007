import type { Call, CallContext, CallText } from './call.ts';
import { toCurl } from './to-curl.ts';
import { toGrpcurl } from './to-grpcurl.ts';
import { toPython } from './to-python.ts';
import { toTypeScript } from './to-typescript.ts';

export type LanguageId = 'curl' | 'typescript' | 'python' | 'grpcurl';

export type Language = {
  readonly label: string;
  readonly write: (call: Call, context: CallContext) => CallText;
};

/** The languages that a call is written in. */
export const LANGUAGES: Readonly<Record<LanguageId, Language>> = {
  curl: { label: 'curl', write: toCurl },
  typescript: { label: 'TypeScript', write: toTypeScript },
  python: { label: 'Python', write: toPython },
  grpcurl: { label: 'grpcurl', write: toGrpcurl },
};
