/** Takes one thing that is wrong in a manifest, with the keys that lead to it. */
export type Report = (keys: readonly string[], reason: string, hint?: string) => void;
