import { createContext, useContext } from 'react';

type Announce = (text: string) => void;

export const AnnounceContext = createContext<Announce>(() => {});

/** Says what was changed: shown above the view, and read out. */
export function useAnnounce(): Announce {
  return useContext(AnnounceContext);
}
