import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readFieldAddress } from '../data/field-address.ts';
import { readListAddress } from '../data/list-address.ts';
import { readMapAddress } from '../data/map-address.ts';
import { readMetricView } from '../data/metric-view.ts';
import { readRecordsAddress } from '../data/records-address.ts';
import { readAuditAddress } from '../views/admin/audit-address.ts';
import { readGrantAddress } from '../views/admin/grant-address.ts';
import { readVersionsAddress } from '../views/admin/versions-address.ts';
import { Datasets } from '../views/datasets/datasets.tsx';
import { readUsageAddress } from '../views/usage/usage-address.ts';
import { NotFound, Shell, ViewProblem } from './shell.tsx';

/**
 * The views and their addresses. An address is behind `#`, so that the filters in it reach no log; its query is the
 * state of the view, so that a copied address shows the same.
 */
const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/datasets', replace: true });
  },
});

const datasets = createRoute({
  getParentRoute: () => root,
  path: '/datasets',
  validateSearch: readListAddress,
  component: Datasets,
});

const dataset = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$dataset',
  validateSearch: readFieldAddress,
  component: lazyRouteComponent(() => import('../views/dataset/fields.tsx'), 'Fields'),
});

const metrics = createRoute({
  getParentRoute: () => root,
  path: '/metrics',
  validateSearch: readListAddress,
  component: lazyRouteComponent(() => import('../views/metrics/metrics.tsx'), 'Metrics'),
});

const metric = createRoute({
  getParentRoute: () => root,
  path: '/metrics/$catalog/$metric',
  validateSearch: readMetricView,
  component: lazyRouteComponent(() => import('../views/metric/metric.tsx'), 'Metric'),
});

const records = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$dataset/records',
  validateSearch: readRecordsAddress,
  component: lazyRouteComponent(() => import('../views/records/records.tsx'), 'Records'),
});

const datasetMap = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$dataset/map',
  validateSearch: readMapAddress,
  component: lazyRouteComponent(() => import('../views/map/map-view.tsx'), 'MapView'),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: readUsageAddress,
  component: lazyRouteComponent(() => import('../views/usage/usage.tsx'), 'Usage'),
});

const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  beforeLoad: () => {
    throw redirect({ to: '/admin/organisations', replace: true });
  },
});

const organisations = createRoute({
  getParentRoute: () => root,
  path: '/admin/organisations',
  validateSearch: readListAddress,
  component: lazyRouteComponent(() => import('../views/admin/organisations.tsx'), 'Organisations'),
});

const organisation = createRoute({
  getParentRoute: () => root,
  path: '/admin/organisations/$organisation',
  component: lazyRouteComponent(() => import('../views/admin/organisation.tsx'), 'Organisation'),
});

const grant = createRoute({
  getParentRoute: () => root,
  path: '/admin/organisations/$organisation/grant',
  validateSearch: readGrantAddress,
  component: lazyRouteComponent(() => import('../views/admin/grant-form.tsx'), 'GrantForm'),
});

const versions = createRoute({
  getParentRoute: () => root,
  path: '/admin/versions',
  validateSearch: readListAddress,
  component: lazyRouteComponent(() => import('../views/admin/versions.tsx'), 'Versions'),
});

const datasetVersions = createRoute({
  getParentRoute: () => root,
  path: '/admin/versions/$dataset',
  validateSearch: readVersionsAddress,
  component: lazyRouteComponent(
    () => import('../views/admin/dataset-versions.tsx'),
    'DatasetVersions',
  ),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/admin/audit',
  validateSearch: readAuditAddress,
  component: lazyRouteComponent(() => import('../views/admin/audit.tsx'), 'Audit'),
});

const routes = root.addChildren([
  home,
  datasets,
  dataset,
  records,
  datasetMap,
  metrics,
  metric,
  usage,
  admin,
  organisations,
  organisation,
  grant,
  versions,
  datasetVersions,
  audit,
]);

/** A router of its own for each session, at the address that the page has. */
export function createAppRouter() {
  return createRouter({
    routeTree: routes,
    history: createHashHistory(),
    defaultErrorComponent: ViewProblem,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
