import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readMapAddress } from '../data/map-address.ts';
import { readMetricView } from '../data/metric-view.ts';
import { readRecordsAddress } from '../data/records-address.ts';
import { Datasets } from '../views/datasets/datasets.tsx';
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
  component: Datasets,
});

const dataset = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$dataset',
  component: lazyRouteComponent(() => import('../views/dataset/fields.tsx'), 'Fields'),
});

const metrics = createRoute({
  getParentRoute: () => root,
  path: '/metrics',
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

const routes = root.addChildren([home, datasets, dataset, records, datasetMap, metrics, metric]);

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
