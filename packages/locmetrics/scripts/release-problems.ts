/** What a release is made of, as texts. */
export type ReleaseState = {
  readonly version: string;
  /** The output of `git status --porcelain`. */
  readonly changes: string;
  readonly tags: readonly string[];
  readonly changelog: string;
  /** Path → text of each `package.json` of the workspace. */
  readonly manifests: ReadonlyMap<string, string>;
  /** Path → text of files that name the package or the image with its version. */
  readonly mentions: ReadonlyMap<string, string>;
};

/** What has to be done before a version can be released. Empty: it can. */
export function releaseProblems(state: ReleaseState): readonly string[] {
  const { version, changes, tags, changelog, manifests, mentions } = state;
  return [
    ...(changes === '' ? [] : [`Commit these changes, or remove them:\n${changes.trimEnd()}`]),
    ...(tags.includes(`v${version}`)
      ? [`v${version} is released already. Set the next version in every package.json.`]
      : []),
    ...changelogProblems(changelog, version),
    ...otherVersions(manifests, /"version": "([^"]+)"|"@locmetrics\/[^"]+": "([^"]+)"/g, version),
    ...otherVersions(mentions, /locmetrics(?:-client)?[-:](\d+\.\d+\.\d+)/g, version),
  ];
}

function changelogProblems(changelog: string, version: string): readonly string[] {
  const [, unreleased, ...releases] = changelog
    .split(/^## /m)
    .map((section) => /^(?<title>.*)\n(?<text>[\s\S]*)/.exec(section)?.groups);
  const newest = releases[0];
  return [
    ...(unreleased?.['title'] === 'Unreleased' && unreleased['text']?.trim() === ''
      ? []
      : [`Move the lines under "Unreleased" in CHANGELOG.md to the section of ${version}.`]),
    ...(newest?.['title'] === version && newest['text']?.trim() !== ''
      ? []
      : [`Write what ${version} changes, in a section "## ${version}" below "Unreleased".`]),
  ];
}

function otherVersions(
  files: ReadonlyMap<string, string>,
  pattern: RegExp,
  version: string,
): readonly string[] {
  return [...files].flatMap(([path, text]) => {
    const found = [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '');
    const others = new Set(found.filter((one) => one !== version));
    return others.size === 0
      ? []
      : [`${path} names ${[...others].join(', ')} instead of ${version}.`];
  });
}
