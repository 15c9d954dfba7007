import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether an element has been near the window once. */
export function useSeen<Element extends HTMLElement>(): readonly [
  RefObject<Element | null>,
  boolean,
] {
  const element = useRef<Element>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null || isSeen) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) setSeen(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [element, isSeen];
}
