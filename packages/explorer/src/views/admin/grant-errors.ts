import { errorsAt } from '../../ui/field-errors.ts';

/** The details of the errors at a place of a grant: in a request of its own, or within a preview of it. */
export function grantErrorsAt(error: unknown, place: string): readonly string[] {
  return [...errorsAt(error, place), ...errorsAt(error, `/grant${place}`)];
}
