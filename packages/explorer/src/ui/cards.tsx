import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './cards.module.css';
import { type Fact, Facts } from './facts.tsx';

/** A section of cards below a heading. */
export function CardSection({
  heading,
  about,
  children,
}: {
  readonly heading: ReactNode;
  /** A sentence about all of them, or what is shown before them. */
  readonly about?: ReactNode;
  /** A list of cards. */
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <h2 dir="auto">{heading}</h2>
      {about}
      {children}
    </section>
  );
}

/** A thing that one can open: the whole card is its link. */
export function Card({
  link,
  title,
  tag,
  id,
  description,
  facts,
  links,
}: {
  readonly link: LinkProps;
  readonly title: string;
  readonly tag?: ReactNode;
  readonly id: string;
  readonly description: string;
  readonly facts: readonly Fact[];
  /** Links to what belongs to it. */
  readonly links?: ReactNode;
}) {
  return (
    <li className={styles.card}>
      <h3 dir="auto">
        <Link {...link} className={styles.name}>
          {title}
        </Link>{' '}
        {tag}
      </h3>
      <code className={styles.id}>{id}</code>
      <p className={styles.description} dir="auto">
        {description}
      </p>
      <div className={styles.facts}>
        <Facts facts={facts} />
        {links && <p className={styles.links}>{links}</p>}
      </div>
    </li>
  );
}
