import { ServiceError } from '@locmetrics/client';

/** The errors of a refusal by the field that each is about. `isComplete`: every error has its field. */
export function fieldErrors(
  error: unknown,
  fields: readonly string[],
): { readonly atFields: Record<string, string>; readonly isComplete: boolean } {
  if (!(error instanceof ServiceError)) return { atFields: {}, isComplete: false };
  const known = error.errors.filter(({ pointer }) => fields.includes(memberOf(pointer)));
  const hint = error.hint === '' ? '' : ` ${error.hint}`;
  return {
    atFields: Object.fromEntries(
      known.map(({ pointer, detail }) => [memberOf(pointer), `${detail}${hint}`]),
    ),
    isComplete: known.length > 0 && known.length === error.errors.length,
  };
}

/** The details of the errors at a place of the request, or below it. */
export function errorsAt(error: unknown, place: string): readonly string[] {
  if (!(error instanceof ServiceError)) return [];
  return error.errors
    .filter(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`))
    .map(({ detail }) => [detail, error.hint].filter(Boolean).join(' '));
}

function memberOf(pointer: string): string {
  return pointer.split('/')[1] ?? '';
}
