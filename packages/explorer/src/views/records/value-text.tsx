import type { FieldDefinition } from '@locmetrics/client';
import { formatValue, type Value } from '../../format/values.ts';
import styles from './value-text.module.css';

/** A value as text, with the exact value as its title; a dash where the record has none. */
export function ValueText({
  field,
  value,
}: {
  readonly field: FieldDefinition;
  readonly value: Value;
}) {
  const formatted = formatValue(field, value);
  if (formatted === undefined) {
    return (
      <>
        <span className={styles.absent} aria-hidden="true">
          –
        </span>
        <span className="visually-hidden">no value</span>
      </>
    );
  }
  return <span title={formatted.exact}>{formatted.text}</span>;
}
