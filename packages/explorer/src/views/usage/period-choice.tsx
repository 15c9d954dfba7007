import type { UsagePeriod } from '../../data/usage-queries.ts';
import { Button } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
import styles from './usage.module.css';
import { changePeriod, periodOf, presetsOf, type UsageAddress } from './usage-address.ts';

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
      <DayField
        label="From"
        value={period.from}
        onChange={(from) => from !== '' && onChange(changePeriod(period, { from }))}
      />
      <DayField
        label="To"
        value={period.to}
        onChange={(to) => to !== '' && onChange(changePeriod(period, { to }))}
      />
    </>
  );
}
