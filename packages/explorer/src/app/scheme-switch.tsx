import { Button } from '../ui/button.tsx';
import { chooseScheme, otherScheme } from '../ui/scheme.ts';
import { useScheme } from '../ui/use-scheme.ts';

/** Switches between light and dark; at first the page follows the system. */
export function SchemeSwitch() {
  const scheme = useScheme();
  const other = otherScheme(scheme);
  return (
    <Button
      kind="quiet"
      size="small"
      aria-label={`Use ${other} colours`}
      onPress={() => chooseScheme(other)}
    >
      <span aria-hidden="true">{scheme === 'light' ? '☾' : '☀'}</span>
    </Button>
  );
}
