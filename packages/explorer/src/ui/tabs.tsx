import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import styles from './tabs.module.css';

export type TabOf<Id extends string> = { readonly id: Id; readonly label: string };

/** One of a few panels of a view; the arrow keys move between the tabs. */
export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly TabOf<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  /** The panel of the selected tab. */
  readonly children: ReactNode;
}) {
  return (
    <AriaTabs
      className={styles.whole ?? ''}
      selectedKey={selected}
      onSelectionChange={(key) => {
        const tab = tabs.find(({ id }) => id === key);
        if (tab !== undefined) onSelect(tab.id);
      }}
    >
      <TabList aria-label={label} className={styles.tabs ?? ''}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles.tab ?? ''}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      <TabPanel key={selected} id={selected} className={styles.panel ?? ''}>
        {children}
      </TabPanel>
    </AriaTabs>
  );
}
