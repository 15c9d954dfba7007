import type { Limits as LimitValues, Organisation } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { organisationLimitsQuery, organisationUsageQuery } from '../../data/admin-queries.ts';
import { LIMIT_WORDS, type LimitName } from '../../format/limits.ts';
import { countOf, formatNumber } from '../../format/numbers.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './admin.module.css';
import { useAnnounce } from './announce.tsx';
import { useAdmin, useChange } from './use-admin.ts';

const NAMES = [
  'rowsPerMonth',
  'rowsPerDay',
  'viewedRowsPerDay',
  'requestsPerSecond',
  'burst',
  'concurrentQueries',
] as const satisfies readonly LimitName[];

/** The limits of an organisation, which all its tokens share, and what it has used. */
export function Limits({ organisation }: { readonly organisation: Organisation }) {
  const { data, error, refetch } = useQuery(organisationLimitsQuery(useAdmin(), organisation.id));
  const { data: used } = useQuery(organisationUsageQuery(useAdmin(), organisation.id));
  const [isChanging, setChanging] = useState(false);
  return (
    <section className={styles.part} aria-label="Limits">
      <div className={styles.heading}>
        <h2>Limits</h2>
        {data !== undefined && <Button onPress={() => setChanging(true)}>Change limits</Button>}
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="the limits" />}
      {data !== undefined && (
        <Facts
          facts={[
            ...NAMES.map((name) => {
              const limit = data[name];
              const none = name === 'viewedRowsPerDay' ? 'as the service is set' : 'no limit';
              return [
                LIMIT_WORDS[name].label,
                limit === null ? none : formatNumber(limit),
              ] as const;
            }),
            [
              'Used this month',
              used === undefined
                ? '…'
                : `${countOf(used.rows, 'row')} in ${countOf(used.requests, 'request')}`,
            ],
          ]}
        />
      )}
      {isChanging && data !== undefined && (
        <ChangeLimits
          organisation={organisation}
          limits={data}
          onClose={() => setChanging(false)}
        />
      )}
    </section>
  );
}

function ChangeLimits({
  organisation,
  limits,
  onClose,
}: {
  readonly organisation: Organisation;
  readonly limits: LimitValues;
  readonly onClose: () => void;
}) {
  const change = useChange();
  const announce = useAnnounce();
  const [texts, setTexts] = useState<Readonly<Partial<Record<LimitName, string>>>>(() =>
    Object.fromEntries(NAMES.map((name) => [name, limits[name]?.toString() ?? ''])),
  );
  return (
    <AskDialog
      title={`The limits of ${organisation.name}`}
      action="Set limits"
      fields={NAMES}
      onClose={onClose}
      onSubmit={async () => {
        const given = NAMES.flatMap((name) => {
          const text = (texts[name] ?? '').replaceAll(/[,\s]/g, '');
          return text === '' ? [] : [[name, Number(text)] as const];
        });
        await change((admin) =>
          admin.setLimits({ organisationId: organisation.id, ...Object.fromEntries(given) }),
        );
        announce(`The limits of ${organisation.name} were set.`);
      }}
    >
      <p>
        All its tokens share them. A change applies within a second. Empty: no limit, and the
        default for rows to look at.
      </p>
      {NAMES.map((name) => (
        <TextField
          key={name}
          label={LIMIT_WORDS[name].label}
          name={name}
          description={LIMIT_WORDS[name].meaning}
          value={texts[name] ?? ''}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
          inputMode="decimal"
          pattern="[0-9][0-9,. ]*"
        />
      ))}
    </AskDialog>
  );
}
