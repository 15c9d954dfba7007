import type { DataReference } from '@locmetrics/client';
import { useState } from 'react';
import { formatAgo } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Says that a version was published while the reader looked. Names of versions start with their times. */
export function VersionNotice({
  reference: { version, publishedTime },
  shown,
  onShowNew,
}: {
  readonly reference: DataReference;
  /** The version of the records that are shown. */
  readonly shown: string;
  readonly onShowNew: () => void;
}) {
  const [known, setKnown] = useState(version);
  if (shown < version) {
    return (
      <Notice
        kind="info"
        title="A new version was published."
        actions={<Button onPress={onShowNew}>Show the new version</Button>}
      >
        It was published {formatAgo(publishedTime)}; these records are from the previous version.
      </Notice>
    );
  }
  if (shown > known) {
    return (
      <Notice
        kind="info"
        title="A new version was published in the meantime."
        actions={<Button onPress={() => setKnown(shown)}>Got it</Button>}
      >
        These are its records.
      </Notice>
    );
  }
  return null;
}
