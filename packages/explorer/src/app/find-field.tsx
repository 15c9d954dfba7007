import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import styles from './find-field.module.css';

/** Loaded with the first search: most views are opened by a link. */
const loadDialog = () => import('../views/find/find-dialog.tsx');
const FindDialog = lazy(async () => ({ default: (await loadDialog()).FindDialog }));

/**
 * The field that finds everything; `/` opens it. Its dialog has the same text, so that what is typed before the dialog takes
 * the focus is kept.
 */
export function FindField() {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  // The dialog gives the focus back to the field. What was found gets it instead: on a phone, the keyboard of the field
  // would cover the view.
  const isLeaving = useRef(false);
  const close = (): void => {
    setOpen(false);
    setText('');
  };
  const leave = (): void => {
    isLeaving.current = true;
    close();
  };
  const href = useRouterState({ select: ({ location }) => location.href });
  // Another view was opened, with the dialog or with the buttons of the browser.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the address changes
  useEffect(() => {
    if (isOpen) leave();
  }, [href]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || !isShortcut(event)) return;
      event.preventDefault();
      input.current?.focus();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <search className={styles.find}>
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label="Find datasets, metrics, fields and places"
        aria-keyshortcuts="/"
        aria-haspopup="dialog"
        autoComplete="off"
        placeholder="Find"
        value={text}
        onFocus={() => {
          void loadDialog();
          if (isLeaving.current) document.getElementById('content')?.focus();
          isLeaving.current = false;
        }}
        onPointerEnter={() => void loadDialog()}
        onClick={() => setOpen(true)}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter' || key === 'ArrowDown') setOpen(true);
        }}
      />
      <span className={styles.key} aria-hidden="true">
        /
      </span>
      {isOpen && (
        <Suspense>
          <FindDialog text={text} onText={setText} onOpen={leave} onClose={close} />
        </Suspense>
      )}
    </search>
  );
}

/** A text that is written, and a dialog that is open, keep their keys. */
function isShortcut({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.querySelector('[role="dialog"]') !== null) {
    return false;
  }
  return !(
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select') !== null)
  );
}
