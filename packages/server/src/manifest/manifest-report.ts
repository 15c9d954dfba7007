/** Reports one problem in a manifest, with the keys of its path. */
export type Report = (keys: readonly string[], reason: string, hint?: string) => void;
