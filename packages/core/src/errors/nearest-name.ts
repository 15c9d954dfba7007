import { closest, distance } from 'fastest-levenshtein';

/**
 * The known name that was probably meant, or undefined if none is similar enough. The comparison ignores
 * case and the difference between `snake_case` and `lowerCamelCase`.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name === '' || known.length === 0 || name.length > NAME_LENGTH_MAX) return undefined;
  const plain = known.map(plainName);
  const best = closest(plainName(name), plain);
  const length = Math.max(plainName(name).length, best.length);
  const nearEnough = Math.max(1, Math.round(length * 0.4));
  return distance(plainName(name), best) <= nearEnough ? known[plain.indexOf(best)] : undefined;
}

/** A hint with the name that was probably meant, or else with the known names. */
export function nameHint(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `Did you mean '${nearest}'?`;
  const named = known.filter((one) => one.trim() !== '');
  if (named.length === 0) return 'No names are defined.';
  const listed = named.slice(0, LISTED_MAX).join(', ');
  return named.length > LISTED_MAX
    ? `Known: ${listed} and ${named.length - LISTED_MAX} more.`
    : `Known: ${listed}.`;
}

const NAME_LENGTH_MAX = 200;
const LISTED_MAX = 40;

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_\s-]/g, '');
}
