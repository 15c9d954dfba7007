import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Parsed, readYaml, run, secondsOf, whyMissing } from './deploy-files.ts';

const FOLDER = 'deploy/kubernetes';
const [kustomization] = readYaml(`${FOLDER}/kustomization.yaml`);
const resources: readonly Parsed[] = kustomization.resources.flatMap((file: string) =>
  readYaml(`${FOLDER}/${file}`),
);
const settings = only('ConfigMap').data;
const statefulSet = only('StatefulSet').spec;
const pod = statefulSet.template.spec;
const [container] = pod.containers;
const [publish] = readYaml(`${FOLDER}/publish.yaml`);
const publishPod = publish.spec.jobTemplate.spec.template.spec;

const noKustomize = whyMissing('kubectl', 'kustomize', '--help');
const noValidator = whyMissing('kubernetes-validate', '--help');

test('kubectl kustomize builds all resources', ({ skip }) => {
  if (noKustomize !== undefined) return skip(noKustomize);
  const { status, output } = run('kubectl', ['kustomize', FOLDER]);
  expect(status, output).toBe(0);
  const built: Parsed[] = parseAllDocuments(output).map((document) => document.toJS());
  expect(built.map(({ kind }) => kind).sort()).toEqual(resources.map(({ kind }) => kind).sort());
  expect(built.every(({ metadata }) => metadata.namespace === 'locmetrics')).toBe(true);
});

test('the resources fit the schemas of Kubernetes', ({ skip }) => {
  if (noValidator !== undefined) return skip(noValidator);
  const folder = temporaryFolder();
  const built = join(folder, 'built.yaml');
  writeFileSync(
    built,
    [...resources, publish].map((resource) => JSON.stringify(resource)).join('\n---\n'),
  );
  const { status, output } = run('kubernetes-validate', ['--strict', built]);
  expect(status, output).toBe(0);
});

test.each([
  ['a node', pod],
  ['a publish', publishPod],
])('%s has no rights that it does not need', (_, { securityContext, ...spec }) => {
  expect(spec.automountServiceAccountToken).toBe(false);
  expect(securityContext).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(spec.containers[0].securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

test('a publish has the image, the settings and the passwords of the nodes', () => {
  const [{ newName, newTag }] = kustomization.images;
  const [{ image, envFrom, env }] = publishPod.containers;
  expect({ image, envFrom, env }).toEqual({
    image: `${newName}:${newTag}`,
    envFrom: container.envFrom,
    env: container.env.filter(({ name }: Parsed) => name.includes('PASSWORD')),
  });
});

test('a pod has the time to drain, and is forgotten by the services before it stops', () => {
  const delay = secondsOf(settings.LOCMETRICS_DRAIN_DELAY);
  const drain = delay + secondsOf(settings.LOCMETRICS_DRAIN_TIMEOUT);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + 10);
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  expect(delay).toBeGreaterThan(periodSeconds * failureThreshold);
});

test('the probes ask the health checks over TLS', () => {
  const asked = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
    (probe) => container[probe].httpGet,
  );
  expect(asked).toEqual(
    ['/livez', '/readyz', '/livez'].map((path) => ({ path, port: 'https', scheme: 'HTTPS' })),
  );
});

test('the ports of the container are those of the settings, and the services use their names', () => {
  const ports: Parsed[] = container.ports;
  const portOf = (address: string): number => Number(address.split(':').at(-1));
  expect(ports).toEqual([
    { name: 'https', containerPort: portOf(settings.LOCMETRICS_HTTPS) },
    { name: 'grpc', containerPort: portOf(settings.LOCMETRICS_GRPC) },
    { name: 'metrics', containerPort: portOf(settings.LOCMETRICS_METRICS) },
  ]);
  const services = resources.filter(({ kind }) => kind === 'Service');
  const targets = services.flatMap(({ spec }) => spec.ports.map((port: Parsed) => port.targetPort));
  expect(targets.sort()).toEqual(ports.map(({ name }) => name).sort());
});

test('a node is reached by the others by its name in the headless service, at the port of the settings', () => {
  const url = container.env.find(({ name }: Parsed) => name === 'LOCMETRICS_NODE_URL').value;
  const port = settings.LOCMETRICS_HTTPS.split(':').at(-1);
  const { serviceName } = statefulSet;
  expect(url).toBe(`https://$(POD_NAME).${serviceName}.${kustomization.namespace}.svc:${port}`);
  const headless = resources.find(
    ({ kind, metadata }) => kind === 'Service' && metadata.name === serviceName,
  );
  expect(headless?.spec.clusterIP).toBe('None');
});

test('passwords are references to a secret', () => {
  const passwords = container.env.filter(({ name }: Parsed) => name.includes('PASSWORD'));
  expect(passwords.map(({ valueFrom }: Parsed) => Object.keys(valueFrom))).toEqual([
    ['secretKeyRef'],
    ['secretKeyRef'],
  ]);
  expect(Object.keys(settings).filter((name) => name.includes('PASSWORD'))).toEqual([]);
});

test('each selector finds the pods', () => {
  const { labels } = statefulSet.template.metadata;
  const selectors = resources.flatMap(({ kind, spec }) => {
    if (kind === 'Service') return [spec.selector];
    const selector = spec?.selector ?? spec?.podSelector;
    return selector === undefined ? [] : [selector.matchLabels];
  });
  expect(selectors.length).toBe(5);
  for (const selector of selectors) expect(labels).toMatchObject(selector);
});

test('the gateway leads to ports of the service', () => {
  const [gateway, ...routes] = readYaml(`${FOLDER}/gateway.yaml`);
  const service = resources.find(
    ({ kind, metadata }) => kind === 'Service' && metadata.name === 'locmetrics',
  );
  const offered = service.spec.ports.map(({ port }: Parsed) => port);
  const listeners = gateway.spec.listeners.map(({ name }: Parsed) => name);
  const rules = routes.flatMap(({ spec }) => spec.rules ?? []);
  expect(rules.length).toBe(2);
  for (const { backendRefs } of rules) expect(offered).toContain(backendRefs[0].port);
  for (const { spec } of routes.filter((route) => route.spec.parentRefs !== undefined)) {
    expect(listeners).toContain(spec.parentRefs[0].sectionName);
  }
});

function only(kind: string): Parsed {
  const found = resources.filter((resource) => resource.kind === kind);
  expect(found.length).toBe(1);
  return found[0];
}
