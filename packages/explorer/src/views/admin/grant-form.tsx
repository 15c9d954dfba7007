import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { versionsQuery } from '../../data/admin-queries.ts';
import { useSession } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { errorsAt } from '../../ui/field-errors.ts';
import { Problem } from '../../ui/problem.tsx';
import { type Choice, Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import {
  EMPTY_DRAFT,
  type GrantDraft,
  isOfMetrics,
  toParts,
  toRequest,
  toTerms,
} from './grant-draft.ts';
import { GrantFields } from './grant-fields.tsx';
import { GrantFilters } from './grant-filters.tsx';
import { grantSentences } from './grant-words.ts';
import { metricNamesQuery } from './metric-names.ts';
import { PlaceErrors } from './place-errors.tsx';
import { Preview } from './preview.tsx';
import { useAdmin, useChange } from './use-admin.ts';

const OTHER = 'other';

/** Adds a grant: what it names, which part of it, when; with what it lets through, in words and as it would be seen. */
export function GrantForm() {
  const { organisation } = useParams({ from: '/admin/organisations/$organisation/grant' });
  return (
    <AdminPage
      title="Add a grant"
      above={
        <>
          <Link to="/admin/organisations">Organisations</Link> /{' '}
          <Link to="/admin/organisations/$organisation" params={{ organisation }}>
            {organisation}
          </Link>
        </>
      }
    >
      <Draft organisationId={organisation} />
    </AdminPage>
  );
}

function Draft({ organisationId }: { readonly organisationId: string }) {
  const admin = useAdmin();
  const change = useChange();
  const navigate = useNavigate();
  const { data: versions, error: versionsError } = useQuery(versionsQuery(admin));
  const { data: metrics = [] } = useQuery(metricNamesQuery(useSession()));
  const [draft, setDraft] = useState<GrantDraft>(EMPTY_DRAFT);
  const [isOther, setOther] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [previewed, setPreviewed] = useState<GrantDraft>();
  const set = (changed: Partial<GrantDraft>): void => {
    setDraft({ ...draft, ...changed });
    setError(undefined);
  };
  const current = (versions?.versions ?? []).filter(({ state }) => state === 'current');
  const version = current.find(({ dataset }) => dataset === draft.pattern);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await change((client) => client.addGrant(toRequest(draft, organisationId)));
      await navigate({
        to: '/admin/organisations/$organisation',
        params: { organisation: organisationId },
        state: { said: `The grant of ${draft.pattern} was added.` },
      });
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Form className={styles.parts ?? ''} onSubmit={(event) => void submit(event)}>
      {versionsError !== null && <Problem error={versionsError} />}
      <section className={styles.part}>
        <h2>What</h2>
        <div className={styles.narrow}>
          <Select
            label="Dataset or metric"
            choices={choicesOf(
              current.map(({ dataset }) => dataset),
              metrics,
            )}
            value={isOther ? OTHER : draft.pattern}
            onChange={(pattern) => {
              setOther(pattern === OTHER);
              set({
                ...(pattern === OTHER ? {} : { pattern }),
                filters: [],
                fields: undefined,
              });
            }}
          />
        </div>
        {isOther && (
          <div className={styles.narrow}>
            <TextField
              label="Pattern"
              value={draft.pattern}
              onChange={(pattern) => set({ pattern })}
              description="product.dataset or catalog/metric. A star at the end stands for any text."
              isRequired
            />
          </div>
        )}
        <PlaceErrors messages={errorsAt(error, '/pattern')} />
      </section>
      {draft.pattern !== '' && (
        <>
          {version !== undefined && (
            <GrantFields
              dataset={version.dataset}
              version={version.version}
              fields={draft.fields}
              onChange={(fields) => set({ fields })}
              messages={errorsAt(error, '/fields')}
            />
          )}
          <GrantFilters
            dataset={version?.dataset}
            version={version?.version}
            filters={draft.filters}
            onChange={(filters) => set({ filters })}
            error={error}
          />
          {isOfMetrics(draft) && <MetricParts draft={draft} error={error} onChange={set} />}
          <section className={styles.part}>
            <h2>When and how</h2>
            <div className={styles.row}>
              <TextField
                label="From"
                type="date"
                value={draft.from}
                onChange={(from) => set({ from })}
                description="Empty: at once."
              />
              <TextField
                label="Until"
                type="date"
                value={draft.until}
                onChange={(until) => set({ until })}
                description="That day included, UTC. Empty: no end."
              />
            </div>
            <PlaceErrors messages={[...errorsAt(error, '/from'), ...errorsAt(error, '/until')]} />
            <Checkbox
              isSelected={draft.showsSmallCells}
              onChange={(showsSmallCells) => set({ showsSmallCells })}
            >
              Show the small cells that the dataset suppresses
            </Checkbox>
            {isOfMetrics(draft) && (
              <Checkbox
                isSelected={draft.liftsDefaultFilters}
                onChange={(liftsDefaultFilters) => set({ liftsDefaultFilters })}
              >
                A request may replace the default filters
              </Checkbox>
            )}
          </section>
          <section className={styles.part} aria-label="What it lets through">
            <h2>What it lets through</h2>
            <ul className={styles.sentences}>
              {grantSentences(toParts(draft)).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
            {error !== undefined && <Problem error={error} />}
            <div className={styles.actions}>
              <Button type="submit" kind="primary" isPending={isBusy}>
                Add the grant
              </Button>
              {!isOfMetrics(draft) && <Button onPress={() => setPreviewed(draft)}>Preview</Button>}
            </div>
          </section>
        </>
      )}
      {previewed !== undefined && (
        <section className={styles.part} aria-label="Preview">
          <h2>As the organisation would see it</h2>
          {previewed !== draft && (
            <p className={styles.quiet}>You have changed the grant since: preview it again.</p>
          )}
          <Preview
            key={JSON.stringify(previewed)}
            organisationId={organisationId}
            grant={toTerms(previewed)}
            first={previewed.pattern}
          />
        </section>
      )}
    </Form>
  );
}

function MetricParts({
  draft,
  error,
  onChange,
}: {
  readonly draft: GrantDraft;
  readonly error: unknown;
  readonly onChange: (changed: Partial<GrantDraft>) => void;
}) {
  return (
    <section className={styles.part}>
      <h2>Which values</h2>
      <div className={styles.row}>
        <TextField
          label="First day of values"
          type="date"
          value={draft.periodStart}
          onChange={(periodStart) => onChange({ periodStart })}
        />
        <TextField
          label="Last day of values"
          type="date"
          value={draft.periodEnd}
          onChange={(periodEnd) => onChange({ periodEnd })}
        />
      </div>
      <PlaceErrors messages={errorsAt(error, '/observationPeriodFilter')} />
      <TextField
        label="Features"
        value={draft.features}
        onChange={(features) => onChange({ features })}
        description="Their ids with commas between them. Empty: all."
      />
      <PlaceErrors messages={errorsAt(error, '/featureFilter')} />
      <TextField
        label="Address components"
        value={draft.components}
        onChange={(components) => onChange({ components })}
        description="Such as us_state_2020: 06, 32; several with semicolons between them. Empty: all."
      />
      <PlaceErrors messages={errorsAt(error, '/addressComponentFilter')} />
      <TextField
        label="Dimensions"
        value={draft.dimensions}
        onChange={(dimensions) => onChange({ dimensions })}
        description="Such as purpose: work, home. Empty: all."
      />
      <PlaceErrors messages={errorsAt(error, '/dimensionFilter')} />
    </section>
  );
}

/** The choices of a pattern: each published dataset and metric, all of a product or a catalog, everything, and another one. */
function choicesOf(
  datasets: readonly string[],
  metrics: readonly string[],
): readonly Choice<string>[] {
  const groups = (names: readonly string[], mark: string): readonly string[] => [
    ...new Set(names.map((name) => `${name.split(mark)[0]}${mark}*`)),
  ];
  const stars: readonly Choice<string>[] = [
    ...groups(datasets, '.').map((value) => ({ value, label: `${value} (the whole product)` })),
    ...groups(metrics, '/').map((value) => ({ value, label: `${value} (the whole catalog)` })),
    { value: '*', label: '* (everything)' },
    { value: OTHER, label: 'Another pattern …' },
  ];
  return [...datasets, ...metrics].map((value) => ({ value, label: value })).concat(stars);
}
