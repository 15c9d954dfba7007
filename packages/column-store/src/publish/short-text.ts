/** SQL of a value as shortened text for messages: a text can have 16 MiB. */
export function shortText(value: string): string {
  const text = `CAST(${value} AS VARCHAR)`;
  return `CASE WHEN length(${text}) > ${CHARACTERS_MAX}
    THEN left(${text}, ${CHARACTERS_MAX}) || '…' ELSE ${text} END`;
}

const CHARACTERS_MAX = 100;
