import { useContext, useLayoutEffect, useRef } from 'react';
import { ComboBoxStateContext, Input, type InputProps } from 'react-aria-components';

/** How long after the list opened the page still moves for it, for example to bring the field above a keyboard. */
const OPENING_MS = 500;
/** How long a scroll takes to close the list. */
const CLOSING_MS = 100;

/**
 * The field of a combo box. A list closes when the page scrolls; one that was opening then opens again, and a press on
 * the field opens a closed one.
 */
export function ComboInput({
  opensOnPress,
  ...props
}: InputProps & {
  /** Whether a press opens the list, as the focus does: a press on a field that has the focus already changes none. */
  readonly opensOnPress: boolean;
}) {
  const state = useContext(ComboBoxStateContext);
  const input = useRef<HTMLInputElement>(null);
  const openedAt = useRef<number>(undefined);
  const scrolledAt = useRef<number>(undefined);
  const isOpen = state?.isOpen ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the list opens or closes
  useLayoutEffect(() => {
    if (!isOpen) {
      const isByScroll = performance.now() - (scrolledAt.current ?? -CLOSING_MS) < CLOSING_MS;
      scrolledAt.current = undefined;
      if (isByScroll && document.activeElement === input.current) state?.open(null, 'focus');
      else openedAt.current = undefined;
      return undefined;
    }
    openedAt.current ??= performance.now();
    const onScroll = ({ target }: Event): void => {
      const isAround = target instanceof Node && target.contains(input.current);
      const now = performance.now();
      if (isAround && now - (openedAt.current ?? 0) < OPENING_MS) scrolledAt.current = now;
    };
    addEventListener('scroll', onScroll, true);
    return () => removeEventListener('scroll', onScroll, true);
  }, [isOpen]);
  return (
    <Input
      {...props}
      ref={input}
      {...(opensOnPress ? { onClick: () => state?.open(null, 'focus') } : {})}
    />
  );
}
