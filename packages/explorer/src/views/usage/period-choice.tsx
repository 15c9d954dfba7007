import { useEffect, useState } from 'react';
import type { UsagePeriod } from '../../data/usage-queries.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './usage.module.css';
import { changePeriod, isDay, periodOf, presetsOf, type UsageAddress } from './usage-address.ts';

/** A period that people often ask for, or two days. */
export function PeriodChoice({
  address,
  onChange,
}: {
  readonly address: UsageAddress;
  readonly onChange: (period: Partial<UsagePeriod>) => void;
}) {
  const period = periodOf(address);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of buttons */}
      <div role="group" aria-label="Period" className={styles.presets}>
        {presetsOf().map(({ label, period: preset }) => {
          const isChosen = address.from === preset.from && address.to === preset.to;
          return (
            <Button
              key={label}
              size="small"
              kind={isChosen ? 'primary' : 'secondary'}
              aria-current={isChosen}
              onPress={() => onChange(preset)}
            >
              {label}
            </Button>
          );
        })}
      </div>
      <Day
        label="From"
        day={period.from}
        onChange={(from) => onChange(changePeriod(period, { from }))}
      />
      <Day label="To" day={period.to} onChange={(to) => onChange(changePeriod(period, { to }))} />
    </>
  );
}

/** A day that changes the address only once it is whole. */
function Day({
  label,
  day,
  onChange,
}: {
  readonly label: string;
  readonly day: string;
  readonly onChange: (day: string) => void;
}) {
  const [text, setText] = useState(day);
  useEffect(() => setText(day), [day]);
  return (
    <TextField
      label={label}
      type="date"
      value={text}
      onChange={(given) => {
        setText(given);
        if (isDay(given) && given !== day) onChange(given);
      }}
    />
  );
}
