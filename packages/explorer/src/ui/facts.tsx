import styles from './facts.module.css';

/** A name, its value, and more exactly, if somebody points at it. */
export type Fact = readonly [name: string, value: string, title?: string];

/** A few facts about a thing, side by side. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, title]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={title}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
