import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the headings of a table in place while its rows change, so that a second press finds the same heading: a column
 * never becomes narrower, and a heading that was pressed stays under the pointer if a column before it becomes wider.
 */
export function useSteadyColumns({
  columns,
  rows,
  isFirst,
}: {
  /** Names the columns: others have widths of their own. */
  readonly columns: string;
  readonly rows: unknown;
  /** Whether they are the first page: a later one, which may have fewer rows, takes up as much of the window. */
  readonly isFirst: boolean;
}): RefObject<HTMLDivElement | null> {
  const around = useRef<HTMLDivElement>(null);
  const pressed = useRef<Element>(undefined);
  const before = useRef({ of: '', height: 0, starts: new Map<Element, number>() });
  useEffect(() => {
    const press = ({ target }: Event): void => {
      pressed.current = target instanceof Element ? (target.closest('th') ?? undefined) : undefined;
    };
    const element = around.current;
    element?.addEventListener('click', press, true);
    return () => element?.removeEventListener('click', press, true);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows decide the widths
  useLayoutEffect(() => {
    const frame = around.current?.querySelector('section');
    if (frame === null || frame === undefined) return;
    const headings = [...frame.querySelectorAll('th')];
    const of = `${frame.clientWidth} ${columns}`;
    if (of !== before.current.of) for (const heading of headings) heading.style.minWidth = '';
    const start = pressed.current && before.current.starts.get(pressed.current);
    if (start !== undefined && pressed.current instanceof HTMLElement) {
      frame.scrollLeft += pressed.current.offsetLeft - start;
    }
    pressed.current = undefined;
    const widths = headings.map((heading) => heading.getBoundingClientRect().width);
    for (const [at, heading] of headings.entries()) heading.style.minWidth = `${widths[at]}px`;
    if (isFirst) frame.style.minHeight = '';
    const height = isFirst ? frame.offsetHeight : before.current.height;
    if (!isFirst && height > 0) frame.style.minHeight = `${height}px`;
    before.current = {
      ...{ of, height },
      starts: new Map(headings.map((heading) => [heading, heading.offsetLeft])),
    };
  }, [columns, rows]);
  return around;
}
