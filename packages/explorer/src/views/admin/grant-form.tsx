import { ServiceError } from '@locmetrics/client';
import type { CheckedGrantValue, Grant } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { grantsQuery, grantValuesQuery, versionsQuery } from '../../data/admin-queries.ts';
import { hasWords } from '../../format/words.ts';
import { useSession } from '../../session/session-context.tsx';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ComboBox, type ComboItem } from '../../ui/combo-box.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import {
  EMPTY_DRAFT,
  type GrantDraft,
  isOfMetrics,
  toDraft,
  toParts,
  toRequest,
  toTerms,
} from './grant-draft.ts';
import { grantErrorsAt } from './grant-errors.ts';
import { GrantFields } from './grant-fields.tsx';
import { GrantFilters } from './grant-filters.tsx';
import { GrantGroups } from './grant-groups.tsx';
import { GrantValues } from './grant-values.tsx';
import { grantSentences } from './grant-words.ts';
import { metricNamesQuery } from './metric-names.ts';
import { PlaceErrors } from './place-errors.tsx';
import { Preview } from './preview.tsx';
import { useAdmin, useChange } from './use-admin.ts';

/** Adds a grant, or replaces one: what it names, which part of it, when; with what it lets through, in words and as it would be seen. */
export function GrantForm() {
  const from = '/admin/organisations/$organisation/grant';
  const { organisation } = useParams({ from });
  const { replaces } = useSearch({ from });
  return (
    <AdminPage
      title={replaces === undefined ? 'Add a grant' : 'Edit a grant'}
      above={
        <>
          <Link to="/admin/organisations">Organisations</Link> /{' '}
          <Link to="/admin/organisations/$organisation" params={{ organisation }}>
            {organisation}
          </Link>
        </>
      }
    >
      {replaces === undefined ? (
        <Draft organisationId={organisation} replaced={undefined} />
      ) : (
        <Edited key={replaces} organisationId={organisation} grantId={replaces} />
      )}
    </AdminPage>
  );
}

/** The form with the present terms of a grant. */
function Edited({
  organisationId,
  grantId,
}: {
  readonly organisationId: string;
  readonly grantId: string;
}) {
  const { data, error, refetch } = useQuery(grantsQuery(useAdmin(), organisationId));
  const grant = data?.find((one) => one.grantId === grantId);
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the grant" />;
  if (grant === undefined) {
    return (
      <Notice kind="warning" title={`There is no grant '${grantId}' of ${organisationId}.`}>
        It may have been removed. Look for it among the grants of the organisation.
      </Notice>
    );
  }
  return <Draft organisationId={organisationId} replaced={grant} />;
}

function Draft({
  organisationId,
  replaced,
}: {
  readonly organisationId: string;
  /** The grant that is edited, as it was when the form was opened. */
  readonly replaced: Grant | undefined;
}) {
  const admin = useAdmin();
  const change = useChange();
  const navigate = useNavigate();
  const { data: versions, error: versionsError } = useQuery(versionsQuery(admin));
  const { data: metrics = [], isLoading: areMetricsLoading } = useQuery(
    metricNamesQuery(useSession()),
  );
  const [draft, setDraft] = useState<GrantDraft>(
    replaced === undefined ? EMPTY_DRAFT : toDraft(replaced),
  );
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [previewed, setPreviewed] = useState<GrantDraft>();
  const [unmatched, setUnmatched] = useState<readonly CheckedGrantValue[]>([]);
  const [unchecked, setUnchecked] = useState<ServiceError>();
  const set = (changed: Partial<GrantDraft>): void => {
    setDraft({ ...draft, ...changed });
    setError(undefined);
  };
  const current = (versions?.versions ?? []).filter(({ state }) => state === 'current');
  const version = current.find(({ dataset }) => dataset === draft.pattern);
  const choices = choicesOf(
    current.map(({ dataset }) => dataset),
    metrics,
  );
  const save = async (): Promise<void> => {
    await change((client) =>
      replaced === undefined
        ? client.addGrant(toRequest(draft, organisationId))
        : client.replaceGrant({ grantId: replaced.grantId, ...toTerms(draft) }),
    );
    const done = replaced === undefined ? 'added' : 'replaced';
    await navigate({
      to: '/admin/organisations/$organisation',
      params: { organisation: organisationId },
      state: { said: `The grant of ${draft.pattern} was ${done}.` },
    });
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (draft.pattern === '') return;
    setBusy(true);
    setError(undefined);
    try {
      const { values } = await admin.checkGrantValues({ grant: toTerms(draft) });
      const wrong = values.filter(({ rowCount }) => rowCount === 0);
      if (wrong.length === 0) await save();
      else setUnmatched(wrong);
    } catch (thrown) {
      // The service is busy, or reading takes too long: the grant can still be made.
      if (thrown instanceof ServiceError && (thrown.status ?? 0) >= 500) setUnchecked(thrown);
      else setError(thrown);
    }
    setBusy(false);
  };
  return (
    <Form className={styles.parts ?? ''} onSubmit={(event) => void submit(event)}>
      {versionsError !== null && <Problem error={versionsError} />}
      <section className={styles.part}>
        <h2>What</h2>
        <div className={styles.narrow}>
          <PatternChoice
            choices={choices}
            isComplete={versions !== undefined && !areMetricsLoading}
            pattern={draft.pattern}
            onChange={(pattern) => set({ pattern, filters: [], fields: undefined, ...NO_LISTS })}
          />
        </div>
        <PlaceErrors messages={grantErrorsAt(error, '/pattern')} />
      </section>
      {draft.pattern !== '' && (
        <>
          {version !== undefined && (
            <GrantFields
              dataset={version.dataset}
              version={version.version}
              fields={draft.fields}
              onChange={(fields) => set({ fields })}
              messages={grantErrorsAt(error, '/fields')}
            />
          )}
          {version === undefined && (
            <NamedFields
              pattern={draft.pattern}
              fields={draft.fields}
              onChange={(fields) => set({ fields })}
              messages={grantErrorsAt(error, '/fields')}
            />
          )}
          <GrantFilters
            pattern={draft.pattern}
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
                description="Empty: immediately."
              />
              <TextField
                label="Until"
                type="date"
                value={draft.until}
                onChange={(until) => set({ until })}
                description="That day included, UTC. Empty: no end."
              />
            </div>
            <PlaceErrors
              messages={[...grantErrorsAt(error, '/from'), ...grantErrorsAt(error, '/until')]}
            />
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
          <section className={styles.part} aria-label="What it allows">
            <h2>What it allows</h2>
            <ul className={styles.sentences}>
              {grantSentences(toParts(draft)).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
            {error !== undefined && <Problem error={error} />}
            <div className={styles.actions}>
              <Button type="submit" kind="primary" isPending={isBusy}>
                {replaced === undefined ? 'Add the grant' : 'Save the grant'}
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
            replacedGrantId={replaced?.grantId}
            first={previewed.pattern}
          />
        </section>
      )}
      {unchecked !== undefined && (
        <AskDialog
          title="The values could not be checked"
          action={replaced === undefined ? 'Add it anyway' : 'Save it anyway'}
          isDangerous
          onClose={() => setUnchecked(undefined)}
          onSubmit={save}
        >
          <Problem error={unchecked} />
        </AskDialog>
      )}
      {unmatched.length > 0 && (
        <AskDialog
          title={
            unmatched.length === 1
              ? 'One value matches nothing'
              : `${unmatched.length} values match nothing`
          }
          action={replaced === undefined ? 'Add it anyway' : 'Save it anyway'}
          isDangerous
          onClose={() => setUnmatched([])}
          onSubmit={save}
        >
          <p>No published record has:</p>
          <ul className={styles.sentences}>
            {unmatched.map(({ pointer, name, value, nearest }) => (
              <li key={pointer}>
                {name === '' ? '' : `${name}: `}“{value}”
                {nearest === null ? '' : ` (did you mean “${nearest}”?)`}
              </li>
            ))}
          </ul>
          <p>If a value is right, the grant takes effect on it once it is published.</p>
        </AskDialog>
      )}
    </Form>
  );
}

/** The lists of a grant of metrics, when it names another thing. */
const NO_LISTS = {
  ...{ features: [], components: [], dimensions: [] },
  ...{ relatedFeatures: [], relatedComponents: [] },
} as const;

/** Finds a dataset, metric or pattern by a part of its name. A pattern that is none of the choices is taken as it is typed. */
function PatternChoice({
  choices,
  isComplete,
  pattern,
  onChange,
}: {
  readonly choices: readonly ComboItem[];
  /** Whether all choices are read. */
  readonly isComplete: boolean;
  readonly pattern: string;
  readonly onChange: (pattern: string) => void;
}) {
  const [input, setInput] = useState(pattern);
  // The list offers all choices again, once one is chosen.
  const items = itemsWith(choices, input === pattern ? '' : input);
  const choose = (next: string): void => {
    setInput(next);
    if (next !== pattern) onChange(next);
  };
  /** A part of one name alone means this name. */
  const take = (): void => {
    const [only, ...others] = itemsWith(choices, input);
    const isPart = isComplete && only !== undefined && others.length === 0 && input.trim() !== '';
    choose(isPart ? only.text : input.trim());
  };
  return (
    <ComboBox
      label="Dataset or metric"
      items={items}
      input={input}
      onInput={setInput}
      onChoose={choose}
      onLeave={take}
      empty={
        isComplete
          ? 'Nothing that is published has this in its name. A pattern is taken as it is.'
          : 'Reading the names…'
      }
      description="A name, or a pattern: product.dataset or catalog/metric. A star at the end stands for any text."
      isFree
      isRequired
      opensOnFocus={false}
    />
  );
}

function itemsWith(choices: readonly ComboItem[], words: string): readonly ComboItem[] {
  return choices.filter(({ text, note }) => hasWords(`${text} ${note ?? ''}`, words));
}

/** The names that a grant of metrics, or of several datasets, shows: all, or some. */
function NamedFields({
  pattern,
  fields,
  onChange,
  messages,
}: {
  readonly pattern: string;
  readonly fields: readonly string[] | undefined;
  readonly onChange: (fields: readonly string[] | undefined) => void;
  readonly messages: readonly string[];
}) {
  if (pattern === '*') return null;
  return (
    <section className={styles.part}>
      <h2>Fields</h2>
      <Checkbox
        isSelected={fields === undefined}
        onChange={(isAll) => onChange(isAll ? undefined : [])}
      >
        All fields, including those of later versions
      </Checkbox>
      {fields !== undefined && (
        <GrantValues
          label="Fields"
          description="Of metrics: values, dimensions, flags and address components."
          place={{ pattern, member: 'fields', name: '' }}
          values={fields}
          onChange={onChange}
        />
      )}
      <PlaceErrors messages={messages} />
    </section>
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
  const { pattern } = draft;
  const { data: related = [] } = useQuery({
    ...grantValuesQuery(useAdmin(), { pattern, member: 'relatedFeatureFilter', pageSize: 1 }),
    retry: false,
  });
  const hasRelated = related.length > 0 || draft.relatedFeatures.length > 0;
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
      <PlaceErrors messages={grantErrorsAt(error, '/observationPeriodFilter')} />
      <GrantValues
        label="Features"
        description="Empty: all."
        place={{ pattern, member: 'featureFilter', name: '' }}
        values={draft.features}
        onChange={(features) => onChange({ features })}
        checks={{ pattern, featureFilter: draft.features }}
      />
      <PlaceErrors messages={grantErrorsAt(error, '/featureFilter')} />
      <GrantGroups
        noun="Address component"
        pattern={pattern}
        member="addressComponentFilter"
        groups={draft.components}
        onChange={(components) => onChange({ components })}
        termsOf={({ name, values }) => ({
          pattern,
          addressComponentFilter: [{ component: name, values }],
        })}
      />
      <PlaceErrors messages={grantErrorsAt(error, '/addressComponentFilter')} />
      <GrantGroups
        noun="Dimension"
        pattern={pattern}
        member="dimensionFilter"
        groups={draft.dimensions}
        onChange={(dimensions) => onChange({ dimensions })}
        termsOf={({ name, values }) => ({
          pattern,
          dimensionFilter: [{ dimensionId: name, values }],
        })}
      />
      <PlaceErrors messages={grantErrorsAt(error, '/dimensionFilter')} />
      {hasRelated && (
        <GrantValues
          label="Related features"
          description="Empty: all."
          place={{ pattern, member: 'relatedFeatureFilter', name: '' }}
          values={draft.relatedFeatures}
          onChange={(relatedFeatures) => onChange({ relatedFeatures })}
          checks={{ pattern, relatedFeatureFilter: draft.relatedFeatures }}
        />
      )}
      <PlaceErrors messages={grantErrorsAt(error, '/relatedFeatureFilter')} />
      <GrantGroups
        noun="Related component"
        pattern={pattern}
        member="relatedAddressComponentFilter"
        groups={draft.relatedComponents}
        onChange={(relatedComponents) => onChange({ relatedComponents })}
        termsOf={({ name, values }) => ({
          pattern,
          relatedAddressComponentFilter: [{ component: name, values }],
        })}
      />
      <PlaceErrors messages={grantErrorsAt(error, '/relatedAddressComponentFilter')} />
    </section>
  );
}

/** The choices of a pattern: each published dataset and metric, all of a product or a catalog, and everything. */
function choicesOf(datasets: readonly string[], metrics: readonly string[]): readonly ComboItem[] {
  const groups = (names: readonly string[], mark: string): readonly string[] => [
    ...new Set(names.map((name) => `${name.split(mark)[0]}${mark}*`)),
  ];
  const stars: readonly ComboItem[] = [
    ...groups(datasets, '.').map((text) => ({ text, note: 'the whole product' })),
    ...groups(metrics, '/').map((text) => ({ text, note: 'the whole catalog' })),
    { text: '*', note: 'everything' },
  ];
  return [...[...datasets, ...metrics].map((text) => ({ text })), ...stars];
}
