import { type ReactNode, useState } from 'react';
import { Disclosure } from '../ui/disclosure.tsx';
import { Select } from '../ui/select.tsx';
import { CallPanel } from './call-panel.tsx';
import type { ReadyCall } from './ready-call.ts';
import styles from './ready-calls.module.css';

/** Calls to start with: one is chosen, and shown in every language. */
export function ReadyCalls({
  calls,
  children,
}: {
  readonly calls: readonly ReadyCall[];
  /** Shown below the call. */
  readonly children?: ReactNode;
}) {
  const [chosen, setChosen] = useState(0);
  const ready = calls[chosen] ?? calls[0];
  if (ready === undefined) return null;
  return (
    <Disclosure title="Calls to start with">
      <div className={styles.choice}>
        <Select
          label="What it returns"
          choices={calls.map(({ title }, index) => ({ value: String(index), label: title }))}
          value={String(calls.indexOf(ready))}
          onChange={(index) => setChosen(Number(index))}
        />
        <p className={styles.about}>{ready.about}</p>
      </div>
      <CallPanel call={ready.call} label="Call to start with" />
      {children}
    </Disclosure>
  );
}
