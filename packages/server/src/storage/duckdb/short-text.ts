/** SQL of a value as text for people, cut where it is long: a text may have 16 MiB. */
export function shortText(value: string): string {
  const text = `CAST(${value} AS VARCHAR)`;
  return `CASE WHEN length(${text}) > ${CHARACTERS_MAX}
    THEN left(${text}, ${CHARACTERS_MAX}) || '…' ELSE ${text} END`;
}

const CHARACTERS_MAX = 100;
