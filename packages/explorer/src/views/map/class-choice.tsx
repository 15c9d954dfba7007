import { useState } from 'react';
import { CLASSES_MAX, type Classes, isThresholds } from '../../data/map-address.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';

type Method = 'automatic' | 'quantiles' | 'intervals' | 'hand';

const METHODS = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'quantiles', label: 'As many values in each' },
  { value: 'intervals', label: 'Equal intervals' },
  { value: 'hand', label: 'By hand' },
] as const satisfies readonly { readonly value: Method; readonly label: string }[];

/** How the values are divided into classes. By hand begins with the classes that are shown. */
export function ClassChoice({
  classes,
  thresholds,
  onClasses,
}: {
  readonly classes: Classes | undefined;
  readonly thresholds: readonly number[];
  readonly onClasses: (classes: Classes | undefined) => void;
}) {
  const method: Method =
    classes === undefined ? 'automatic' : typeof classes === 'string' ? classes : 'hand';
  const choose = (next: Method): void => {
    if (next === 'hand') onClasses(isThresholds(thresholds) ? thresholds : [1]);
    else onClasses(next === 'automatic' ? undefined : next);
  };
  return (
    <>
      <Select label="Classes" choices={METHODS} value={method} onChange={choose} />
      {classes !== undefined && typeof classes !== 'string' && (
        <ThresholdField key={String(classes)} thresholds={classes} onThresholds={onClasses} />
      )}
    </>
  );
}

function ThresholdField({
  thresholds,
  onThresholds,
}: {
  readonly thresholds: readonly number[];
  readonly onThresholds: (thresholds: readonly number[]) => void;
}) {
  const [text, setText] = useState(thresholds.join(' '));
  const read = text
    .split(/[\s;]+/)
    .filter((part) => part !== '')
    .map(Number);
  const isValid = isThresholds(read);
  const apply = (): void => {
    if (isValid && String(read) !== String(thresholds)) onThresholds(read);
  };
  return (
    <TextField
      label="Classes begin at"
      description={
        isValid
          ? 'Rising numbers with spaces between them. Enter applies them.'
          : `Write one to ${CLASSES_MAX - 1} rising numbers, with spaces between them.`
      }
      value={text}
      onChange={setText}
      isInvalid={!isValid}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}
