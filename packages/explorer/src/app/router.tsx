import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
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
  component: Datasets,
});

const dataset = createRoute({
  getParentRoute: () => root,
  path: '/datasets/$dataset',
  component: lazyRouteComponent(() => import('../views/dataset/fields.tsx'), 'Fields'),
});

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: readUsageAddress,
  component: lazyRouteComponent(() => import('../views/usage/usage.tsx'), 'Usage'),
});

const routes = root.addChildren([home, datasets, dataset, usage]);

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
