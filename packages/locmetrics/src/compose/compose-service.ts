import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { closePart } from '@locmetrics/core/runtime/close-part';
import type { Engine } from '@locmetrics/core/storage/engine';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { Catalog } from '@locmetrics/data-directory/versions/open-catalog';
import { findExtent } from '@locmetrics/data-directory/versions/published-extents';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import { openRowFiles, type RowFiles } from '@locmetrics/row-store/engine/open-row-files';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { openOutlines } from '@locmetrics/row-store/routing/open-outlines';
import type { Observe } from '@locmetrics/server/observe/observation';
import type { AnswerLimits } from '@locmetrics/server/service/queries/answer-limit';
import { watchEngine } from '@locmetrics/server/service/queries/watch-engine';
import {
  createServiceContext,
  type ServiceContext,
} from '@locmetrics/server/service/service-context';

/** The operations over the versions of a data directory, until they are disposed of. */
export type ComposedService<Columns extends Engine> = AsyncDisposable & {
  readonly service: ServiceContext;
  /** Both stores; its queries are not observed, unlike those of `service`. */
  readonly engine: Engine;
  readonly columns: Columns;
};

type ContextParts = Omit<
  Parameters<typeof createServiceContext>[0],
  'engine' | 'findExtent' | 'outlines'
>;

export type ServiceParts<Columns extends Engine> = ContextParts & {
  readonly directory: DataDirectory;
  /** Whether the row file of a version is as it was written. Default: all are. */
  readonly isChecked?: (version: LeasedVersion) => boolean;
  /** Called when a row file cannot be used: the column store answers in its place. */
  readonly onLeftOut: (version: LeasedVersion, error: unknown) => void;
  /** Opens the column store; a version is in the folder that `directoryOf` returns. */
  readonly openColumns: (directoryOf: (version: ReadableVersion) => string) => Promise<Columns>;
  /** The name of the column store in explanations. Default: it is not named. */
  readonly columnStore?: string | undefined;
  /** Opens the engine over the stores. Default: the one that chooses between them for each plan. */
  readonly openEngine?: (stores: Stores) => Engine | Promise<Engine>;
  /** Observes each query. Default: none is. */
  readonly watch?: { readonly observe: Observe; readonly slowQueryMs: number };
  /** Default: `ANSWER_LIMITS`. */
  readonly limits?: AnswerLimits;
};

export type Stores = {
  readonly rows: RowFiles;
  readonly columns: Engine;
  readonly columnStore?: string;
  readonly catalog: Catalog;
};

/**
 * Composes the operations over a data directory. The worker, the commands and the tests all use it, so that an
 * answer means the same everywhere.
 */
export async function composeService<Columns extends Engine>({
  directory,
  isChecked = () => true,
  onLeftOut,
  openColumns,
  columnStore,
  openEngine = openEmbeddedEngine,
  watch,
  limits,
  ...context
}: ServiceParts<Columns>): Promise<ComposedService<Columns>> {
  await using opening = new AsyncDisposableStack();
  const directoryOf = ({ dataset, version }: ReadableVersion) =>
    directory.version(dataset.name, version);
  const stores = opening.use(new AsyncDisposableStack());
  const rows = stores.adopt(
    openRowFiles({
      directoryOf,
      isChecked: (version) => isChecked(leasedOf(version)),
      onLeftOut: (version, error) => onLeftOut(leasedOf(version), error),
    }),
    closePart,
  );
  const columns = stores.adopt(await openColumns(directoryOf), closePart);
  const engine = await openEngine({
    rows,
    columns,
    catalog: context.catalog,
    ...(columnStore === undefined ? {} : { columnStore }),
  });
  // From now on the engine closes them.
  stores.move();
  opening.adopt(engine, closePart);
  const service = createServiceContext(
    {
      ...context,
      engine: watch === undefined ? engine : watchEngine(engine, watch),
      outlines: openOutlines(rows),
      findExtent: (version) => findExtent(version, directoryOf),
    },
    limits,
  );
  opening.adopt(service.extents, closePart);
  const closing = opening.move();
  return { service, engine, columns, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

function leasedOf({ dataset, version }: ReadableVersion): LeasedVersion {
  return { datasetName: dataset.name, version };
}
