import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text, and says so for a moment. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  /** The text, or what makes it when the button is pressed. */
  readonly text: string | (() => string);
  readonly label?: string;
}) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => setSaid(undefined), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setSaid('Copied');
    } catch {
      setSaid('Not copied: select the text and copy it');
    }
  };
  return (
    <Button size="small" onPress={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  );
}
