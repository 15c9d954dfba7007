import { ServiceError } from './service-error.ts';

/** Whether a stored text can hold it: U+0000 and lone surrogates are in none, and engines differ on them. */
export function isStoredText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Refuses a text of a filter that no stored text can hold. */
export function checkStoredText(text: string, pointer: string): void {
  if (isStoredText(text)) return;
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    pointer,
    'The text holds U+0000 or a lone surrogate, which no stored text can hold.',
    'Send well-formed Unicode text.',
  );
}
