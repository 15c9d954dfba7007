import { useEffect, useState } from 'react';
import { TextField } from './text-field.tsx';

/**
 * A day, which is applied as soon as it is complete. A removed day is applied when the field is left or Enter is
 * pressed, because a browser also reports no day while one of its parts is typed.
 */
export function DayField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  /** YYYY-MM-DD, or empty. */
  readonly value: string;
  /** Empty if the day was removed. */
  readonly onChange: (day: string) => void;
}) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const commit = (): void => {
    // A complete day was applied while it was typed.
    if (draft === value || isCompleteDay(draft)) return;
    if (draft === '') onChange('');
    setDraft(value);
  };
  return (
    <TextField
      label={label}
      type="date"
      value={draft}
      onChange={(given) => {
        setDraft(given);
        if (given !== value && isCompleteDay(given)) onChange(given);
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}

/** While a year is typed digit by digit, a browser reports the years 2, 20 and 202. */
function isCompleteDay(text: string): boolean {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}
