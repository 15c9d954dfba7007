import { useEffect, useState } from 'react';

/** A value once it has stayed the same for a while, so that not every key of a word is a request. */
export function useDelayed<Value>(value: Value, delayMs = 200): Value {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return delayed;
}
