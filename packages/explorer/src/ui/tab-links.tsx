import { Link, type LinkProps } from '@tanstack/react-router';
import styles from './tab-links.module.css';

export type TabLink = { readonly label: string; readonly link: LinkProps };

/** Links between the views of one thing. */
export function TabLinks({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly TabLink[];
}) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          {...tab.link}
          className={styles.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
